import type { Intercept } from '@aftermeet/sandbox';
import { expect, it, type TestContext } from 'vitest';

import { describeEachStore, openTestStore } from '../support/index.ts';
import { type Environment, startAftermeet } from './aftermeet-process.ts';
import { deliver } from './deliver.ts';
import { SECRET, startServices } from './services.ts';
import { waitFor } from './wait-for.ts';

/** A lock of ten seconds, a check for stalled jobs every five, and the ledger's lease of fifteen. */
const RECOVERY_MS = 60_000;

describeEachStore(
  'a process killed with SIGKILL',
  (kind) => {
    it(
      'between fetching the report and sending: everything still arrives, once',
      async ({ onTestFinished }) => {
        let isHeld = true;
        const held = new Set<string>();
        // Notion's data source is read before the intent is written, Slack is called after it. Both calls hang, so the
        // worker is killed in both places while it holds the report.
        const hold =
          (vendor: string, pathEnd: RegExp): Intercept =>
          ({ path }) => {
            if (!pathEnd.test(path)) return 'pass';
            held.add(vendor);
            return isHeld ? 'hang' : 'pass';
          };
        const services = await startServices({
          slack: hold('slack', /\/chat\.postMessage$/),
          notion: hold('notion', /\/data_sources\/[^/]+$/),
        });
        onTestFinished(services.close);
        const start = await startInStore(onTestFinished);
        // Without mail: whether a mail was sent can't be probed, and its lease is a minute.
        const { SMTP_URL: _smtp, MAIL_FROM: _from, MAIL_TO: _to, ...settings } = services.settings;
        const receiver = await start(['receiver', '--port', '0'], settings);
        const killed = await start(['worker'], settings);
        await services.completeMeeting(`${receiver.facts['url']}/hooks/default`);
        await waitFor('both calls', () => (held.size === 2 ? true : undefined), 20_000);
        expect(await killed.end('SIGKILL')).toBe('SIGKILL');
        expect(services.vendors.slack.emulator.received()).toHaveLength(0);
        expect(services.vendors.notion.emulator.received()).toHaveLength(0);

        isHeld = false;
        const next = await start(['worker'], settings);
        const { slack, notion } = services.vendors;
        const arrived = () => [slack, notion].map(({ emulator }) => emulator.received().length).join();
        await waitFor('message and page', () => (arrived() === '1,1' ? true : undefined), RECOVERY_MS);
        // Its jobs are done when it stops, so nothing more can arrive.
        expect(await next.end('SIGTERM')).toBe(0);
        expect(arrived()).toBe('1,1');
        expect(await receiver.end('SIGTERM')).toBe(0);
      },
      RECOVERY_MS * 2,
    );

    it(
      'right after its 200: the delivery is still processed',
      async ({ onTestFinished }) => {
        const services = await startServices();
        onTestFinished(services.close);
        const start = await startInStore(onTestFinished);
        const receiver = await start(['receiver', '--port', '0'], services.settings);
        // The test itself delivers, so that the receiver is killed right after its answer.
        const meetingId = await services.completeMeeting();
        const answered = await deliver(`${receiver.facts['url']}/hooks/default`, meetingId);
        expect(await receiver.end('SIGKILL')).toBe('SIGKILL');
        expect(answered).toBe(200);

        const worker = await start(['worker'], services.settings);
        const received = () => services.vendors.slack.emulator.received();
        await waitFor('the message', () => (received().length > 0 ? true : undefined), RECOVERY_MS);
        expect(await worker.end('SIGTERM')).toBe(0);
        expect(received()).toHaveLength(1);
      },
      RECOVERY_MS * 2,
    );

    /** Starts processes on a store of the test's own, which ends with the test. */
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
