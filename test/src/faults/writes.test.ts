import { AmbiguousWriteError, type VerifyCall } from '@aftermeet/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  catchFault,
  type FaultyService,
  type Order,
  startFaultyService,
  type WatchedClient,
} from './faulty-service.ts';

// A write that must not happen twice is not repeated once it may have happened: the client says so, and where to look.

let service: FaultyService;
let meetingId: string;
/** Of the meeting or tag that the next write makes. */
let name = '';
let writes = 0;

beforeAll(async () => {
  service = await startFaultyService();
});
afterAll(() => service.close());

/** Results of earlier writes do not matter. */
async function prepare(): Promise<void> {
  service.sandbox.reset();
  meetingId = await service.holdMeeting('Held');
  writes += 1;
  name = `Write ${writes}`;
}

interface Write {
  readonly operation: string;
  readonly look: VerifyCall['operation'];
  readonly send: (client: WatchedClient) => Promise<unknown>;
  /** How often it took effect. */
  readonly count: (client: WatchedClient) => Promise<number>;
}

const table: Readonly<Record<string, Write>> = {
  'recordings.start': {
    operation: 'recordings.start: POST /api/record-meeting',
    look: 'meetings.search',
    send: (client) => client.recordings.start({ link: `https://meet.example/${writes}`, title: name }),
    count: async () => (await service.countMeetings()) - 1,
  },
  'reports.generate': {
    operation: 'reports.generate: POST /api/generate-new-template',
    look: 'reports.get',
    send: (client) => client.reports.generate({ meetingId: meetingId, templateName: 'team-sync' }),
    async count(client) {
      const answer = await client.reports.get(meetingId);
      return answer.ready ? answer.report.templates.length - 1 : Number.NaN;
    },
  },
  'tags.create': {
    operation: 'tags.create: POST /api/workspaces/active/tags',
    look: 'tags.list',
    send: (client) => client.tags.create({ name, color: 'blue' }),
    count: async (client) => (await client.tags.list()).items.filter((tag) => tag.name === name).length,
  },
};

const brokenBefore = [
  ['reset', { kind: 'reset' }, 'ECONNRESET'],
  ['empty', { kind: 'empty' }, 'UND_ERR_SOCKET'],
  ['garbage', { kind: 'garbage' }, '(HPE_INVALID_CONSTANT|HTTPParserError)'],
  ['500', { kind: 'status', status: 500 }, 'A fault that was planned at /_sandbox/faults: 500\\.'],
  ['503', { kind: 'status', status: 503 }, 'A fault that was planned at /_sandbox/faults: 503\\.'],
] as const;

const brokenAfter = [
  ['drop_after', { kind: 'drop_after' }, 'UND_ERR_SOCKET'],
  ['cut', { kind: 'cut' }, 'UND_ERR_SOCKET'],
] as const;

/** Sends the write into the fault, expects an ambiguous error, and returns how often the write took effect. */
async function fail(id: string, write: Write, order: Order, reason: string): Promise<number> {
  service.plan(id, { ...order, times: null });
  const client = service.connect();
  const error = await catchFault(write.send(client));
  expect(error).toBeInstanceOf(AmbiguousWriteError);
  expect(error).toMatchObject({
    code: 'ambiguous',
    operation: write.operation.split(':')[0],
    retryable: false,
  });
  const answered = order.kind === 'status' ? `answered ${order.status}` : 'ambiguous';
  const advice = `it may have taken effect: check with ${write.look} before you send it again`;
  expect(error.message.slice(write.operation.length + 1)).toMatch(
    new RegExp(`^${answered}: ${reason}; ${advice}$`),
  );
  expect([client.waits, service.countCalls()]).toEqual([[], 1]);
  service.sandbox.faults.clear();
  return write.count(client);
}

describe.each(Object.entries(table))('%s', (id, write) => {
  it.each(brokenBefore)(
    '%s: is in doubt, not repeated, and has not happened',
    async (_name, order, reason) => {
      await prepare();
      expect(await fail(id, write, order, reason)).toBe(0);
    },
  );

  it.each(brokenAfter)(
    '%s: is in doubt, not repeated, and has happened once',
    async (_name, order, reason) => {
      await prepare();
      expect(await fail(id, write, order, reason)).toBe(1);
    },
  );

  it('429: was surely not done, is repeated as it was told to and happens once', async () => {
    await prepare();
    service.plan(id, { kind: 'status', status: 429, retry_after_seconds: 2, times: 2 });
    const client = service.connect();
    await write.send(client);
    expect([client.waits, service.countCalls()]).toEqual([[2500, 2500], 3]);
    expect(await write.count(client)).toBe(1);
  });

  it('429 for ever: is an error without a doubt', async () => {
    await prepare();
    service.plan(id, { kind: 'status', status: 429, times: null });
    const client = service.connect({ retries: 1 });
    const error = await catchFault(write.send(client));
    expect(error).not.toBeInstanceOf(AmbiguousWriteError);
    expect(error).toMatchObject({ code: 'rate_limited', retryable: true });
    expect(service.countCalls()).toBe(2);
    service.sandbox.faults.clear();
    expect(await write.count(client)).toBe(0);
  });

  it('latency within the limit: happens once', async () => {
    await prepare();
    service.plan(id, { kind: 'latency', ms: 3 });
    const client = service.connect();
    await write.send(client);
    expect([client.waits, service.countCalls(), await write.count(client)]).toEqual([[], 1, 1]);
  });
});

describe('a write that may be repeated', () => {
  const link = 'https://meet.example/repeated';

  it.each(['cut', 'drop_after', 'reset'] as const)(
    '%s: edits a block, and ends as it should',
    async (kind) => {
      await prepare();
      const client = service.connect();
      const answer = await client.reports.get(meetingId);
      const templateId = answer.ready ? (answer.report.templates[0]?.id ?? '') : '';
      service.plan('reports.editBlock', { kind });
      await client.reports.editBlock({
        meetingId: meetingId,
        templateId,
        entityName: 'summary',
        newSummaryText: 'Rewritten.',
      });
      expect([client.waits, service.countCalls()]).toEqual([[500], 2]);
      const again = await client.reports.get(meetingId);
      expect(again.ready && again.report.summary).toBe('Rewritten.');
    },
  );

  it('drop_after: stops a recording, of which the repetition hears that it was stopped', async () => {
    await prepare();
    const client = service.connect();
    const { meetingId: runningId } = await client.recordings.start({ link });
    service.plan('recordings.stop', { kind: 'drop_after' });
    expect(await client.recordings.stop(runningId)).toEqual({ raw: 'OK' });
    expect(service.countCalls()).toBe(2);
  });

  it('drop_after: cancels a recording, of which the repetition says that it may have been cancelled by the first request', async () => {
    await prepare();
    const client = service.connect();
    const planned = new Date(Date.now() + 3_600_000).toISOString();
    const { meetingId: plannedId } = await client.recordings.start({ link, localDateTime: planned });
    service.plan('recordings.cancel', { kind: 'drop_after' });
    const error = await catchFault(client.recordings.cancel(plannedId));
    expect(error).toMatchObject({ code: 'not_found', retryable: false });
    expect(error.message).toMatch(/; an earlier attempt may have succeeded: check with recordings\.status$/);
    expect(service.countCalls()).toBe(2);
  });
});

describe('every write', () => {
  it.each([
    ['hang', { kind: 'hang' }, 0],
    ['latency beyond the limit', { kind: 'latency', ms: 60_000 }, 0],
    ['drip', { kind: 'drip', ms: 60_000 }, 1],
  ] as const)('%s: is in doubt when the time is up', async (_name, order, effects) => {
    await prepare();
    service.plan('any', { ...order, times: null });
    const client = service.connect({ timeoutMs: 200 });
    const send = async ({ operation, look, send: sendWrite }: Write): Promise<void> => {
      const error = await catchFault(sendWrite(client));
      expect(error).toBeInstanceOf(AmbiguousWriteError);
      const reason = 'no answer in 200 ms; it may have taken effect';
      expect(error.message).toBe(
        `${operation} ambiguous: ${reason}: check with ${look} before you send it again`,
      );
    };
    await Promise.all(Object.values(table).map(send));
    expect([client.waits, service.countCalls()]).toEqual([[], 3]);
    service.sandbox.faults.clear();
    for (const { count } of Object.values(table)) expect(await count(client)).toBe(effects);
  });
});

describe('the search that settles a doubt', () => {
  it.each([
    ['finds the meeting that was started', { kind: 'drop_after' }, 1],
    ['finds none where nothing was done', { kind: 'reset' }, 0],
  ] as const)('%s', async (_name, order, total) => {
    await prepare();
    service.plan('recordings.start', order);
    const client = service.connect();
    const error = await catchFault(client.recordings.start({ link: 'https://meet.example/x', title: name }));
    const { verifyWith } = error instanceof AmbiguousWriteError ? error : {};
    if (verifyWith?.operation !== 'meetings.search') throw new Error('Expected a search.');
    for await (const page of client.meetings.search(verifyWith.input)) {
      expect(page.items.map(({ title }) => title)).toEqual(Array.from({ length: total }, () => name));
    }
  });
});
