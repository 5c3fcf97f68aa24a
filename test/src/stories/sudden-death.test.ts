import type { Intercept } from '@aftermeet/sandbox';
import { expect, it, type TestContext } from 'vitest';

import { describeEachStore, openTestStore } from '../support/index.ts';
import { type Environment, startAftermeet } from './aftermeet-process.ts';
import { deliver } from './deliver.ts';
import { waitFor } from './wait-for.ts';
import { SECRET, startWorld } from './world.ts';

/** A lock of ten seconds, a look for stalled jobs every five, and the ledger's lease of fifteen. */
const RECOVERY_MS = 60_000;

describeEachStore(
  'a process killed with SIGKILL',
  (kind) => {
    it(
      'between fetching the report and sending: everything still arrives, once',
      async ({ onTestFinished }) => {
        let isHeld = true;
        const held = new Set<string>();
        // Notion is asked about its data source before the intent is written, Slack is called after it. Neither
        // gets an answer, so the worker dies in both places with the report in its hands.
        const hold =
          (vendor: string, pathEnd: RegExp): Intercept =>
          ({ path }) => {
            if (!pathEnd.test(path)) return 'pass';
            held.add(vendor);
            return isHeld ? 'hang' : 'pass';
          };
        const world = await startWorld({
          slack: hold('slack', /\/chat\.postMessage$/),
          notion: hold('notion', /\/data_sources\/[^/]+$/),
        });
        onTestFinished(world.close);
        const start = await startInStore(onTestFinished);
        // Without mail: whether a mail was under way can't be asked of anybody, and its lease is a minute.
        const { SMTP_URL: _smtp, MAIL_FROM: _from, MAIL_TO: _to, ...settings } = world.settings;
        const receiver = await start(['receiver', '--port', '0'], settings);
        const doomed = await start(['worker'], settings);
        await world.holdMeeting(`${receiver.facts['url']}/hooks/default`);
        await waitFor('both calls', () => (held.size === 2 ? true : undefined), 20_000);
        expect(await doomed.end('SIGKILL')).toBe('SIGKILL');
        expect(world.vendors.slack.standIn.received()).toHaveLength(0);
        expect(world.vendors.notion.standIn.received()).toHaveLength(0);

        isHeld = false;
        const heir = await start(['worker'], settings);
        const { slack, notion } = world.vendors;
        const arrived = () => [slack, notion].map(({ standIn }) => standIn.received().length).join();
        await waitFor('message and page', () => (arrived() === '1,1' ? true : undefined), RECOVERY_MS);
        // Its jobs are done when it stops: nothing more can come.
        expect(await heir.end('SIGTERM')).toBe(0);
        expect(arrived()).toBe('1,1');
        expect(await receiver.end('SIGTERM')).toBe(0);
      },
      RECOVERY_MS * 2,
    );

    it(
      'right after its 200: the delivery is still processed',
      async ({ onTestFinished }) => {
        const world = await startWorld();
        onTestFinished(world.close);
        const start = await startInStore(onTestFinished);
        const receiver = await start(['receiver', '--port', '0'], world.settings);
        // The test itself delivers, so that the receiver dies in the moment of its answer.
        const meetingId = await world.holdMeeting();
        const answered = await deliver(`${receiver.facts['url']}/hooks/default`, meetingId);
        expect(await receiver.end('SIGKILL')).toBe('SIGKILL');
        expect(answered).toBe(200);

        const worker = await start(['worker'], world.settings);
        const received = () => world.vendors.slack.standIn.received();
        await waitFor('the message', () => (received().length > 0 ? true : undefined), RECOVERY_MS);
        expect(await worker.end('SIGTERM')).toBe(0);
        expect(received()).toHaveLength(1);
      },
      RECOVERY_MS * 2,
    );

    /** A way to start processes on a store of the test's own; all of it is gone when the test is over. */
    async function startInStore(onTestFinished: TestContext['onTestFinished']) {
      const store = await openTestStore(kind);
      onTestFinished(() => store.dispose());
      return async (words: readonly string[], environment: Environment) => {
        const started = await startAftermeet(words, {
          QUEUE_URL: store.queueUrl,
          WEBHOOK_SECRET: SECRET,
          ...environment,
        });
        onTestFinished(async () => {
          await started.end('SIGKILL');
        });
        return started;
      };
    }
  },
  undefined,
  { concurrent: true },
);
