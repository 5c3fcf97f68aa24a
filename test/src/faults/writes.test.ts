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

/** What the answer is called in the error, and how often the write took effect. */
const broken = [
  ['reset', { kind: 'reset' }, 'ambiguous: ECONNRESET', 0],
  ['garbage', { kind: 'garbage' }, 'ambiguous: (HPE_INVALID_CONSTANT|HTTPParserError)', 0],
  ['503', { kind: 'status', status: 503 }, 'answered 503: A fault that was planned at .* 503\\.', 0],
  ['hang', { kind: 'hang' }, 'ambiguous: no answer in 200 ms', 0],
  ['drip', { kind: 'drip', ms: 60_000 }, 'ambiguous: no answer in 200 ms', 1],
  ['drop_after', { kind: 'drop_after' }, 'ambiguous: UND_ERR_SOCKET', 1],
  ['cut', { kind: 'cut' }, 'ambiguous: UND_ERR_SOCKET', 1],
] as const satisfies readonly (readonly [string, Order, string, number])[];

describe.each(Object.entries(table))('%s', (id, write) => {
  it.each(broken)(
    '%s: is in doubt, not repeated, and happens once at most',
    async (_name, order, reason, effects) => {
      await prepare();
      service.plan(id, { ...order, times: null });
      const client = service.connect({ timeoutMs: reason.endsWith('ms') ? 200 : 5000 });
      const error = await catchFault(write.send(client));
      expect(error).toBeInstanceOf(AmbiguousWriteError);
      expect(error).toMatchObject({ code: 'ambiguous', operation: id, retryable: false });
      const advice = `it may have taken effect: check with ${write.look} before you send it again`;
      expect(error.message.slice(write.operation.length + 1)).toMatch(new RegExp(`^${reason}; ${advice}$`));
      expect([client.waits, service.countCalls()]).toEqual([[], 1]);
      service.sandbox.faults.clear();
      expect(await write.count(client)).toBe(effects);
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
