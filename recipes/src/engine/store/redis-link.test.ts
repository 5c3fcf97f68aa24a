import { defineRedisScript, openBackend, silentLog } from '@aftermeet/queue';
import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { expect, it } from 'vitest';

import { relayStore } from '../../testing/start-relay.ts';
import { openRedisLink } from './redis-link.ts';

const answerOne = defineRedisScript('return 1');

describeEachStore(
  'a link',
  (kind) => {
    async function openRelayed() {
      const store = await openTestStore(kind);
      const { relay, url } = await relayStore(store.queueUrl);
      const backend = await openBackend(url, { log: silentLog });
      if (backend.kind !== 'redis') throw new Error('not Redis');
      const link = openRedisLink(backend);
      expect(await link.run(answerOne, [], [])).toBe(1);
      return { store, relay, link };
    }

    it('answers nobody for ever: what waits for a silent server is refused when it is closed', async () => {
      const { store, relay, link } = await openRelayed();
      relay.mute();
      const waiting = [link.ask((client) => client.get('a')), link.run(answerOne, [], [])];
      const ended = Promise.allSettled(waiting);
      await link.close();
      expect(await ended).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
      await expect(link.ask((client) => client.get('a'))).rejects.toThrow('closed');
      await relay.close();
      await store.dispose();
    });

    it('does so also when the server is away', async () => {
      const { store, relay, link } = await openRelayed();
      await relay.close();
      await expect.poll(() => link.client.status).not.toBe('ready');
      const ended = Promise.allSettled([link.ask((client) => client.get('a')), link.run(answerOne, [], [])]);
      // A writer that never ends is not waited for.
      await link.close([{ close: () => new Promise(() => {}) }]);
      expect(await ended).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
      await store.dispose();
    });
  },
  ['redis'],
);
