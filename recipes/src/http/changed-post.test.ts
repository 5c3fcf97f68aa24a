import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { bringAbout } from '../bring-about.ts';
import type { Ending } from '../ending.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { usualPolicies } from '../pace/policy.ts';
import { aboutSubject, sampleFacts, startMs } from '../testing/effect-requests.ts';
import { receiverKey, startReceiver, stopReceivers } from '../testing/start-receiver.ts';
import { useLedger } from '../testing/use-ledger.ts';
import { HttpAddress } from './http-address.ts';
import { openHttp } from './send-http-post.ts';

describeEachStore('posting a report that has changed', (kind) => {
  const store = useLedger(() => openTestStore(kind));
  let nowMs: number;
  let meetings = 0;
  beforeEach(() => {
    nowMs = startMs;
    meetings += 1;
  });
  afterEach(stopReceivers);

  /** A receiver that has the first report and then answers while it `isUp`. */
  async function openPosted(whenUntraceable: 'resend' | 'hold') {
    const rule = { isUp: true };
    const { port, received } = await startReceiver((request, response) => {
      if (rule.isUp) response.end();
      else request.socket.destroy();
    });
    const url = new URL(`http://127.0.0.1:${port}/`);
    const to = new HttpAddress({ url, keys: [receiverKey], headers: {}, isPrivateAllowed: true });
    const carrier = openHttp(() => nowMs, 5000);
    const ids = (): unknown[] =>
      received.map(({ headers }) => String(headers['webhook-id']).split('-').at(-1));
    const post = async (content: string, unconfirmedTimes = 0, ledger: Ledger = store.ledger) => {
      const effectKey = `post-${meetings}-${content}`;
      const preparation = await carrier.prepare({ body: content, to }, { effectKey, target: 't' });
      if (preparation.result !== 'ready') throw new Error(preparation.cause);
      const subject = aboutSubject(`posted-${meetings}`, '2026-07-07T11:00:00Z', content);
      const facts = { ...sampleFacts, destination: 'http' };
      const request = { facts, isTraceComplete: true, earliestMs: startMs, subject };
      const policy = { ...usualPolicies.http, whenUntraceable };
      const tools = { ledger, clock: () => nowMs, policy, unconfirmedTimes };
      const ending: Ending = await bringAbout(effectKey, preparation.shipment, request, tools);
      return ending;
    };
    expect(await post('first')).toMatchObject({ kind: 'sent', isNew: true });
    return { rule, ids, post };
  }
  const deadLedger = (): Ledger => ({
    ...store.ledger,
    settle: () => Promise.reject(new Error('killed')),
  });

  it('goes beside the first one, under an id of its own', async () => {
    const { ids, post } = await openPosted('resend');
    const reference = `post-${meetings}-second`;
    expect(await post('second')).toEqual({ kind: 'sent', reference, isNew: true });
    expect(ids()).toEqual(['first', 'second']);
  });

  it('goes once more when no answer came, and no further', async () => {
    const { rule, ids, post } = await openPosted('resend');
    rule.isUp = false;
    expect(await post('second')).toMatchObject({ kind: 'wait', why: 'unclear', isUnconfirmed: true });
    nowMs += 60_000;
    expect(await post('second', 1)).toMatchObject({ kind: 'failed' });
    expect(ids()).toEqual(['first', 'second', 'second']);
  });

  it('is held when no answer came, where that is wanted', async () => {
    const { rule, ids, post } = await openPosted('hold');
    rule.isUp = false;
    expect(await post('second')).toMatchObject({ kind: 'wait', why: 'unclear', isUnconfirmed: true });
    nowMs += 60_000;
    expect(await post('second', 1)).toMatchObject({ kind: 'failed' });
    expect(ids()).toEqual(['first', 'second']);
  });

  it('is held after a worker that died over it, where that is wanted', async () => {
    const { ids, post } = await openPosted('hold');
    await expect(post('second', 0, deadLedger())).rejects.toThrow('killed');
    nowMs += 60_000;
    expect(await post('second')).toMatchObject({ kind: 'failed' });
    expect(ids()).toEqual(['first', 'second']);
  });
});
