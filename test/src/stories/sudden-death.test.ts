import { afterAll, beforeAll, expect, it } from 'vitest';

import { describeEachStore, openTestStore, type TestStore } from '../support/index.ts';
import { startAftermeet } from './aftermeet-process.ts';
import { deliver } from './deliver.ts';
import { SECRET, startWorld } from './world.ts';
import { waitFor } from './wait-for.ts';

/** A lock of ten seconds, a look for stalled jobs every five, and the ledger's lease of fifteen. */
const RECOVERY_MS = 60_000;

describeEachStore(
  'a process killed with SIGKILL',
  (kind) => {
    let store: TestStore;

    beforeAll(async () => {
      store = await openTestStore(kind);
    });
    afterAll(() => store.dispose());

    it(
      'between fetching the report and sending: the message still arrives, once',
      async () => {
        const own = await openTestStore(kind);
        let isHeld = true;
        let calls = 0;
        // Slack takes the call and never answers it, so the worker dies with the report in its hands.
        const world = await startWorld({
          interceptSlack: ({ path }) => {
            if (!path.endsWith('/chat.postMessage')) return 'pass';
            calls += 1;
            return isHeld ? 'hang' : 'pass';
          },
        });
        const environment = { QUEUE_URL: own.queueUrl, WEBHOOK_SECRET: SECRET, ...world.settings };
        const receiver = await startAftermeet(['receiver', '--port', '0'], environment);
        const doomed = await startAftermeet(['worker'], environment);
        await world.holdMeeting(`${receiver.facts['url']}/hooks/default`);
        await waitFor('the call to Slack', () => (calls > 0 ? true : undefined), 20_000);
        expect(await doomed.end('SIGKILL')).toBe('SIGKILL');
        expect(world.vendors.slack.standIn.received()).toHaveLength(0);

        isHeld = false;
        const heir = await startAftermeet(['worker'], environment);
        await waitFor(
          'the message',
          () => (world.vendors.slack.standIn.received().length > 0 ? true : undefined),
          RECOVERY_MS,
        );
        await waitFor(
          'the page',
          () => (world.vendors.notion.standIn.received().length > 0 ? true : undefined),
          RECOVERY_MS,
        );
        await waitFor(
          'the mail',
          () => (world.vendors.mail.standIn.received().length > 0 ? true : undefined),
          RECOVERY_MS,
        );
        expect(await heir.end('SIGTERM')).toBe(0);
        expect(await receiver.end('SIGTERM')).toBe(0);
        expect(world.vendors.slack.standIn.received()).toHaveLength(1);
        expect(world.vendors.notion.standIn.received()).toHaveLength(1);
        await world.close();
        await own.dispose();
      },
      RECOVERY_MS * 2,
    );

    it(
      'right after its 200: the delivery is still processed',
      async () => {
        const world = await startWorld();
        const environment = { QUEUE_URL: store.queueUrl, WEBHOOK_SECRET: SECRET, ...world.settings };
        const receiver = await startAftermeet(['receiver', '--port', '0'], environment);
        // The test itself delivers, so that the receiver dies in the moment of its answer.
        const meetingId = await world.holdMeeting();
        const answered = await deliver(`${receiver.facts['url']}/hooks/default`, meetingId);
        expect(await receiver.end('SIGKILL')).toBe('SIGKILL');
        expect(answered).toBe(200);

        const worker = await startAftermeet(['worker'], environment);
        const received = () => world.vendors.slack.standIn.received();
        await waitFor('the message', () => (received().length > 0 ? true : undefined), RECOVERY_MS);
        expect(received()).toHaveLength(1);
        expect(await worker.end('SIGTERM')).toBe(0);
        await world.close();
      },
      RECOVERY_MS * 2,
    );
  },
  undefined,
  { concurrent: true },
);
