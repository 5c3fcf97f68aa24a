import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

import { type Inbox, silentLog } from '@aftermeet/queue';
import { createDeliveryHandler } from '@aftermeet/receiver';
import type { DeliveryFault, FaultOrder } from '@aftermeet/sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { type FaultyService, startFaultyService } from './faulty-service.ts';

// The sandbox sends, the receiver of this project receives; only its store is a list.

const SECRET = 'whsec_0123456789abcdef';

let service: FaultyService;
let server: Server;
let hookUrl: string;
/** Meetings and outcomes in the order in which the receiver came to them. */
let received: (readonly [title: string, outcome: 'accepted' | 'duplicate'])[];

beforeAll(async () => {
  service = await startFaultyService();
  server = createServer((request, response) => {
    handle(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.');
  hookUrl = `http://127.0.0.1:${address.port}/default`;
});
afterAll(async () => {
  await service.close();
  server.close();
  server.closeAllConnections();
});

let handle: ReturnType<typeof createDeliveryHandler>;
beforeEach(() => {
  service.sandbox.reset();
  received = [];
  handle = createDeliveryHandler({
    endpoints: { byName: new Map([['default', { secrets: [SECRET] }]]) },
    inbox: createListInbox(),
    log: silentLog,
  });
});

/** Knows again what it took, by the job id that the receiver gives it. */
function createListInbox(): Inbox {
  const known = new Set<string>();
  return {
    async accept({ job, jobId }) {
      const kind = known.has(jobId) ? 'duplicate' : 'accepted';
      known.add(jobId);
      received.push([JSON.stringify(job).match(/Meeting \w+/)?.[0] ?? 'no title', kind]);
      return { kind, isConflict: false };
    },
    recordRefusal: async () => {},
    listRefusals: async () => [],
    ping: async () => {},
    close: async () => {},
  };
}

/** Lets meetings of these names end, one after the other, and waits until nothing more is under way for them. */
async function hold(...names: readonly string[]): Promise<void> {
  await end(...names);
  await settle(names.length);
}

async function end(...names: readonly string[]): Promise<void> {
  const client = service.connect();
  for (const name of names) {
    const { meetingId } = await client.recordings.start({
      link: `https://meet.example/${name}`,
      title: `Meeting ${name}`,
      webhookUrl: hookUrl,
      webhookSecret: SECRET,
    });
    service.sandbox.completeMeeting(meetingId);
  }
}

async function settle(count: number): Promise<void> {
  await vi.waitFor(
    () => {
      const states = service.sandbox.deliveries().map(({ state }) => state);
      expect([states.length, states.includes('waiting')]).toEqual([count, false]);
    },
    { interval: 3, timeout: 5000 },
  );
}

/** What the sandbox knows of its deliveries: the state and the answers. */
function listAnswers(): readonly (readonly [state: string, ...statuses: (number | undefined)[]])[] {
  return service.sandbox
    .deliveries()
    .toReversed()
    .map(({ state, attempts }) => [state, ...attempts.map(({ status }) => status)] as const);
}

const plan = (order: FaultOrder<DeliveryFault>) => service.sandbox.faults.add(order);

describe('a fault of a delivery', () => {
  it('duplicate: the second is known for what it is', async () => {
    plan({ kind: 'duplicate' });
    await hold('A', 'B');
    const ofMeeting = (wanted: string) => received.filter(([title]) => title === wanted);
    expect(ofMeeting('Meeting A').map(([, outcome]) => outcome)).toEqual(['accepted', 'duplicate']);
    expect(ofMeeting('Meeting B').map(([, outcome]) => outcome)).toEqual(['accepted']);
    expect(listAnswers()).toEqual([
      ['delivered', 200, 200],
      ['delivered', 200],
    ]);
  });

  it.each([
    ['bad_signature', { kind: 'bad_signature' }],
    ['stale_timestamp', { kind: 'stale_timestamp', seconds: 302 }],
  ] as const)(
    '%s: is refused for ever, and is taken when it is sent again as it should be',
    async (_name, order) => {
      plan(order);
      await hold('A', 'B');
      expect(received).toEqual([['Meeting B', 'accepted']]);
      expect(listAnswers()).toEqual([
        ['given_up', 401],
        ['delivered', 200],
      ]);
      const refused = service.sandbox.deliveries().at(-1);
      expect(service.sandbox.redeliver(refused?.id ?? '')).toBe(true);
      await settle(2);
      expect(received).toEqual([
        ['Meeting B', 'accepted'],
        ['Meeting A', 'accepted'],
      ]);
    },
  );

  it('stale_timestamp: within the tolerance of 300 seconds it is taken', async () => {
    plan({ kind: 'stale_timestamp', seconds: 290 });
    await hold('A');
    expect(received).toEqual([['Meeting A', 'accepted']]);
  });

  it('reorder: what is sent within 30 s comes first', async () => {
    plan({ kind: 'reorder' });
    await end('B', 'C');
    await vi.waitFor(() => expect(received).toHaveLength(1));
    service.sandbox.clock.advance(30_000);
    await settle(2);
    expect(received.map(([title]) => title)).toEqual(['Meeting C', 'Meeting B']);
  });
});
