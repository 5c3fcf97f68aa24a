import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

import { createClient, type ReportAnswer, type ReportReader, ServiceError } from '@aftermeet/client';
import {
  type Backend,
  createInbox,
  createJobQueue,
  emptyNamespace,
  type Inbox,
  type JobQueue,
  openBackend,
  silentLog,
} from '@aftermeet/queue';
import { createSlackEmulator, createVendorEmulators, type VendorEmulators } from '@aftermeet/sandbox';
import { describeEachStore, openTestStore, type TestStore } from '@aftermeet/test/support';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';

import type { Destinations } from './destinations/settings.ts';
import type { WorkerStep } from './engine/outcome.ts';
import type { Worker } from './engine/worker.ts';
import { standardRecipes } from './prebuilt/bind-recipes.ts';
import { startWorker, type WorkerOptions } from './start-worker.ts';
import { recordLog, type RecordedLog } from './testing/record-log.ts';
import { shortReport } from './testing/sample-report.ts';

const destinationNames = ['slack', 'notion', 'email', 'http', 'folder'];

/** So many seconds after this file was loaded. */
function happenedAt(seconds: number): string {
  return new Date(loadedMs + 1000 * seconds).toISOString();
}

const loadedMs = Date.now();

async function waitFor(isThere: () => boolean): Promise<void> {
  await expect.poll(isThere, { timeout: 15_000, interval: 20 }).toBe(true);
}

describeEachStore(
  'a worker',
  (kind) => {
    let store: TestStore;
    let backend: Backend;
    let inbox: Inbox;
    let queue: JobQueue;
    let vendors: VendorEmulators;
    let destinations: Destinations;
    let workers: Worker[];
    let steps: WorkerStep[];
    let log: RecordedLog;
    let readReport: () => Promise<ReportAnswer>;
    let asked: string[];

    beforeAll(async () => {
      store = await openTestStore(kind);
      backend = await openBackend(store.queueUrl, { log: silentLog });
      inbox = await createInbox(backend, { log: silentLog });
      queue = await createJobQueue(backend);
    });
    beforeEach(async () => {
      await emptyNamespace(backend);
      vendors = await createVendorEmulators();
      destinations = {
        slack: { token: 'xoxb-test', apiUrl: vendors.slack.apiUrl, channel: 'C0123456789' },
        notion: { token: 'ntn_test', baseUrl: vendors.notion.url, dataSourceId: vendors.notion.dataSourceId },
        email: { smtpUrl: vendors.mail.url, from: 'bot@example.com', to: ['ann@example.com'] },
      };
      workers = [];
      steps = [];
      log = recordLog();
      asked = [];
      readReport = async () => ({ ready: true, report: shortReport });
    });
    afterEach(async () => {
      await Promise.all(workers.map((worker) => worker.close()));
      await vendors.close();
    });
    afterAll(async () => {
      await inbox.close();
      await queue.close();
      await backend.close();
      await store.dispose();
    });

    /** Until no job is left to do: what has not been sent by then is not sent. */
    async function waitUntilIdle(): Promise<void> {
      const countOpen = async (): Promise<number> => {
        // In this order: an event adds its effects before it is done.
        const events = await queue.counts('event');
        const effects = await Promise.all(destinationNames.map((name) => queue.countEffects(name)));
        const counts = [events, ...effects];
        return counts.reduce((sum, { waiting, active, delayed }) => sum + waiting + active + delayed, 0);
      };
      await expect.poll(countOpen, { timeout: 15_000, interval: 50 }).toBe(0);
    }

    async function start(more: Partial<WorkerOptions> = {}): Promise<Worker> {
      const client: ReportReader = {
        reports: {
          get: (meetingId) => {
            asked.push(meetingId);
            return readReport();
          },
        },
      };
      const recipes = standardRecipes(destinations);
      const observe = (step: WorkerStep): void => void steps.push(step);
      const worker = await startWorker({
        backend,
        client,
        recipes,
        destinations,
        workspace: 'active',
        // The limits of the destinations are another test's: here they would only take time.
        policies: { slack: { gapMs: 20 }, notion: { gapMs: 0 } },
        log,
        observe,
        ...more,
      });
      workers.push(worker);
      return worker;
    }

    async function accept(body: object, endpoint = 'default'): Promise<void> {
      await inbox.accept({
        jobId: randomUUID(),
        job: {
          endpoint,
          receivedAt: new Date().toISOString(),
          body: JSON.stringify({ meeting_id: 'm_1', timestamp: happenedAt(0), ...body }),
        },
        keepSeconds: 660,
      });
    }

    const completed = {
      event: 'meeting.completed',
      data: { title: 'Weekly sync', is_transcript_empty: false },
    };

    function countSent(): number {
      return steps.filter((step) => step.kind === 'effect_sent').length;
    }

    it('carries a meeting to every destination once, by one fetch, however often it is delivered', async () => {
      await start();
      await accept(completed);
      await waitUntilIdle();
      expect(countSent()).toBe(3);
      expect(asked).toEqual(['m_1']);
      expect(steps.filter((step) => step.kind === 'report_fetched')).toHaveLength(1);
      await accept(completed);
      await accept({ ...completed, timestamp: happenedAt(60) });
      await waitUntilIdle();
      expect(countSent()).toBe(3);
      expect(steps.filter((step) => step.kind === 'effect_skipped')).toHaveLength(3);
      expect(vendors.slack.emulator.received()).toHaveLength(1);
      expect(vendors.notion.emulator.received()).toHaveLength(1);
      expect(vendors.mail.emulator.received()).toHaveLength(1);
    });

    it('tells of a failure and then of the completion, but of no failure that is older than a completion', async () => {
      await start();
      const failed = {
        event: 'meeting.failed',
        data: { title: 'Weekly sync', reason: 'no <!channel> audio' },
      };
      await accept({ ...failed, timestamp: happenedAt(1) });
      await waitUntilIdle();
      // A failed meeting has no report.
      expect(asked).toEqual([]);
      await accept({ ...completed, timestamp: happenedAt(3) });
      await waitUntilIdle();
      await accept({ ...failed, timestamp: happenedAt(2) });
      await waitUntilIdle();
      const texts = vendors.slack.emulator.received().map(({ text }) => text);
      expect(texts[0]).toContain('no &lt;!channel&gt; audio');
      expect(texts.map((text) => text.split('\n')[0])).toEqual([
        expect.stringContaining('Meeting failed'),
        expect.stringContaining('Weekly sync'),
      ]);
    });

    it('shares its work with another worker, and loses or repeats nothing when one of them is closed meanwhile', async () => {
      const [one] = await Promise.all([start(), start()]);
      for (let count = 0; count < 6; count += 1) {
        await accept({ ...completed, meeting_id: `m_${count}` });
        await accept({ ...completed, meeting_id: `m_${count}` });
      }
      await waitFor(() => countSent() >= 2);
      await one?.close();
      await waitUntilIdle();
      const received = [vendors.slack, vendors.notion, vendors.mail].map(
        ({ emulator }) => emulator.received().length,
      );
      expect(received).toEqual([6, 6, 6]);
      for (const name of destinationNames) expect((await queue.countEffects(name)).failed).toBe(0);
    });

    it('breaks off the fetch of a report when it is closed, and the next worker goes on', async () => {
      const hanging = createServer(() => undefined);
      hanging.listen(0, '127.0.0.1');
      await once(hanging, 'listening');
      const address = hanging.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'key', retries: 0 });
      const worker = await start({ client });
      const isAsked = once(hanging, 'request');
      await accept(completed);
      await isAsked;
      const startedMs = performance.now();
      await worker.close();
      // The client's own patience is 30 seconds.
      expect(performance.now() - startedMs).toBeLessThan(15_000);
      hanging.closeAllConnections();
      hanging.close();
      expect(steps.every((step) => step.kind === 'effect_waiting')).toBe(true);
      await start();
      await waitUntilIdle();
      expect(countSent()).toBe(3);
    });

    it('keeps everything while the service refuses the key', async () => {
      readReport = () =>
        Promise.reject(new ServiceError({ code: 'unauthorized', status: 401, operation: 'reports.get' }));
      await start();
      await accept(completed);
      await accept({ ...completed, meeting_id: 'm_2' });
      await waitFor(() => countSent() === 1);
      await waitFor(() => steps.filter((step) => step.kind === 'effect_waiting').length >= 6);
      // The one that was sent tells of the key.
      expect(vendors.slack.emulator.received()[0]?.text).toContain('API key');
      expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
      expect(steps.some((step) => step.kind === 'effect_failed')).toBe(false);
    });

    it('shows an effect that cannot be sent, and the others arrive', async () => {
      const mail = { smtpUrl: vendors.mail.url, from: 'bot@example.com', to: ['ann@example.com'] };
      destinations = {
        ...destinations,
        email: mail,
        notion: { ...notionSettings(), dataSourceId: randomUUID() },
      };
      await start();
      await accept(completed);
      // Slack hears of the failure too.
      await waitFor(() => countSent() === 3 && steps.some((step) => step.kind === 'effect_failed'));
      expect(steps.find((step) => step.kind === 'effect_failed')).toMatchObject({
        destination: 'notion',
        recipe: 'notion-page',
      });
      expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    });

    it('leaves a destination alone that does not answer, while the others go on, and comes back to it', async () => {
      const { port } = new URL(vendors.slack.apiUrl);
      await vendors.slack.emulator.close();
      const circuit = { failures: 3, firstOpenMs: 200, maxOpenMs: 400 };
      await start({
        policies: {
          slack: { gapMs: 0, firstWaitMs: 100, maxWaitMs: 200, circuit },
          notion: { gapMs: 0 },
        },
      });
      for (let count = 0; count < 8; count += 1) await accept({ ...completed, meeting_id: `m_${count}` });
      const isOpen = (): boolean =>
        log.lines.some(({ text }) => text.startsWith('the destination does not answer'));
      await waitFor(() => isOpen() && countSent() === 16);
      const back = createSlackEmulator({ channels: [{ id: 'C0123456789', name: 'meetings' }] });
      await back.listen({ port: Number(port) });
      await waitUntilIdle();
      expect(back.received()).toHaveLength(8);
      expect(countSent()).toBe(24);
      await back.close();
    });

    function notionSettings() {
      return { token: 'ntn_test', baseUrl: vendors.notion.url, dataSourceId: vendors.notion.dataSourceId };
    }
  },
  ['redis', 'postgres'],
);
