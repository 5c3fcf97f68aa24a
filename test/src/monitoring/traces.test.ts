import { createClient } from '@aftermeet/client';
import { type Backend, createInbox, type Inbox, openBackend, silentLog } from '@aftermeet/queue';
import { createReceiver, type Receiver } from '@aftermeet/receiver';
import { standardRecipes, startWorker, type Worker } from '@aftermeet/recipes';
import { describeEachStore, openTestStore, type TestStore } from '@aftermeet/test/support';
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { deliver } from '../stories/deliver.ts';
import { SECRET, type Services, startServices } from '../stories/services.ts';
import { waitFor } from '../stories/wait-for.ts';

const OUTER_TRACE = '0af7651916cd43dd8448eb211c80319c';
const OUTER_SPAN = 'b7ad6b7169203331';

const exporter = new InMemorySpanExporter();

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  trace.setGlobalTracerProvider(provider);
});

// Other files of tests share this process.
afterAll(() => {
  trace.disable();
  context.disable();
});

describeEachStore(
  'with an SDK, a delivery and what it causes',
  (kind) => {
    let store: TestStore;
    let services: Services;
    let backend: Backend;
    let inbox: Inbox;
    let receiver: Receiver;
    let worker: Worker;
    let statuses: readonly number[] = [];
    let spans: readonly ReadableSpan[] = [];

    beforeAll(async () => {
      exporter.reset();
      store = await openTestStore(kind);
      services = await startServices();
      backend = await openBackend(store.queueUrl, { log: silentLog });
      inbox = await createInbox(backend, { log: silentLog });
      const endpoints = { byName: new Map([['default', { secrets: [SECRET] }]]) };
      receiver = createReceiver({ endpoints, inbox, log: silentLog });
      const { url } = await receiver.listen({ host: '127.0.0.1', port: 0 });
      const client = createClient({ baseUrl: services.serviceUrl, apiKey: 'sandbox_key', retries: 0 });
      const destinations = {
        slack: { token: 'xoxb-story', apiUrl: services.vendors.slack.apiUrl, channel: 'C0STORY' },
        email: { smtpUrl: services.vendors.mail.url, from: 'bot@example.com', to: ['team@example.com'] },
      };
      const recipes = standardRecipes(destinations);
      worker = await startWorker({
        backend,
        client,
        recipes,
        destinations,
        workspace: 'active',
        log: silentLog,
      });
      const meetingId = await services.completeMeeting();
      const traceparent = `00-${OUTER_TRACE}-${OUTER_SPAN}-01`;
      const address = `${url}/hooks/default`;
      // A stranger's request leaves no span.
      statuses = [
        await deliver(address, 'm_forged', 'another-secret-0123', 'x', { traceparent }),
        await deliver(address, meetingId, SECRET, 'Story meeting', { traceparent }),
      ];
      const ended = () => exporter.getFinishedSpans().filter(({ name }) => name === 'effect').length;
      await waitFor('the effects', () => (ended() === 2 ? true : undefined), 20_000);
      spans = exporter.getFinishedSpans();
    });
    afterAll(async () => {
      await receiver.close();
      await worker.close();
      await inbox.close();
      await backend.close();
      await services.close();
      await store.dispose();
    });

    const find = (name: string): ReadableSpan => {
      const span = spans.find((each) => each.name === name);
      if (span === undefined) throw new Error(`there is no span ${name}`);
      return span;
    };
    const nameParent = ({ parentSpanContext }: ReadableSpan): string | undefined =>
      spans.find((each) => each.spanContext().spanId === parentSpanContext?.spanId)?.name ??
      parentSpanContext?.spanId;

    it('are one trace across the queue', () => {
      expect(statuses).toEqual([401, 200]);
      expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(new Set([OUTER_TRACE]));
      const tree = new Set(spans.map((span) => `${span.name} in ${nameParent(span) ?? 'nothing'}`));
      expect([...tree].toSorted((one, other) => one.localeCompare(other))).toEqual([
        `delivery in ${OUTER_SPAN}`,
        'effect in plan',
        'fetch in render',
        'plan in delivery',
        'render in effect',
        'send in effect',
        'store in delivery',
        'verify in delivery',
      ]);
    });

    it('take the time that they took', () => {
      for (const { name, startTime, endTime } of spans)
        expect([name, endTime[0] * 1e9 + endTime[1] >= startTime[0] * 1e9 + startTime[1]]).toEqual([
          name,
          true,
        ]);
      expect(find('verify').duration[1]).toBeGreaterThan(0);
    });

    it('say what was done, and nothing of what was said', () => {
      expect(find('delivery').attributes).toEqual({
        'aftermeet.endpoint': 'default',
        'aftermeet.outcome': 'accepted',
      });
      expect(find('effect').attributes).toMatchObject({ 'aftermeet.start': 1, 'aftermeet.outcome': 'sent' });
      expect(find('send').attributes).toEqual({ 'aftermeet.result': 'sent' });
      const all = JSON.stringify(
        spans.map(({ name, attributes, events, status, links }) => [name, attributes, events, status, links]),
      );
      expect(all).toContain('slack-recap');
      for (const hidden of ['Story', 'calendars', '@example.com', SECRET, 'sandbox_key', 'xoxb', 'http'])
        expect([hidden, all.includes(hidden)]).toEqual([hidden, false]);
    });
  },
  ['redis', 'postgres'],
);
