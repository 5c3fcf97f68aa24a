import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { findScript } from './content/scripts.ts';
import { createSandbox } from './create-sandbox.ts';
import type { SandboxStep } from './sandbox-options.ts';
import { startTestSandbox, type TestSandbox } from './testing/sandbox.ts';

const nowMs = Date.parse('2026-07-07T12:00:00Z');
const dayMs = 86_400_000;

let service: TestSandbox;

beforeAll(async () => {
  service = await startTestSandbox();
});

beforeEach(() => service.sandbox.reset());

afterAll(() => service.sandbox.close());

interface Listed {
  readonly meeting_id: string;
  readonly title: string;
  readonly status: string;
  readonly source: string;
  readonly local_date_time: string;
  readonly script: string;
}

async function listMeetings(): Promise<readonly Listed[]> {
  const { body } = await service.call('GET', '/_sandbox/meetings');
  return (body as { meetings: Listed[] }).meetings;
}

const seed = (body?: object) => service.call('POST', '/_sandbox/seed', body);

const withoutId = ({ meeting_id: _id, ...rest }: Listed): object => rest;

describe('seeding', () => {
  it('brings twelve finished meetings of the last thirty days, in all languages', async () => {
    const { status, body } = await seed();
    const { meeting_ids: ids, tag_ids: tagIds } = body as { meeting_ids: string[]; tag_ids: string[] };
    const meetings = await listMeetings();
    expect([status, meetings.map((meeting) => meeting.meeting_id), tagIds.length]).toEqual([200, ids, 4]);
    expect(new Set(meetings.map(({ script }) => script.slice(0, 2)))).toEqual(new Set(['en', 'de', 'ja']));
    expect(meetings.every(({ title, script }) => title === findScript(script).name)).toBe(true);
    expect(new Set(meetings.map(({ source }) => source)).size).toBeGreaterThanOrEqual(3);
    expect(
      meetings
        .map((meeting) => meeting.status)
        .toSorted()
        .join(' '),
    ).toBe(`failed${' new'.repeat(7)}${' processed'.repeat(4)}`);
    expect(service.sandbox.deliveries()).toEqual([]);
  });

  it('brings one meeting that failed, with a reason, and one with an empty transcript', async () => {
    const { meetingIds } = service.sandbox.seed({ meetings: 4, languages: ['de'] });
    const reports = await Promise.all(
      meetingIds.map((id) => service.call('GET', `/api/video/report?meeting_id=${id}`)),
    );
    expect(reports.map(({ status }) => status)).toEqual([200, 404, 200, 200]);
    expect(reports[1]?.body).toMatchObject({ message: expect.stringMatching(/no report: \w+/) as string });
    const isEmpty = reports.map(
      ({ body }) =>
        (body as { followup_v2?: { is_transcript_empty: boolean } }).followup_v2?.is_transcript_empty,
    );
    expect(isEmpty).toEqual([false, undefined, true, false]);
  });

  it('can be found by its tags, which are not made twice', async () => {
    await service.call('POST', '/api/workspaces/active/tags', { name: 'customers', color: 'red' });
    const first = service.sandbox.seed({ meetings: 24 });
    const again = service.sandbox.seed({ meetings: 24 });
    expect(again.tagIds).toEqual(first.tagIds);
    const { body } = await service.call('GET', '/api/workspaces/active/tags');
    expect(
      (body as { tags: { name: string; color: string }[] }).tags.map(({ name, color }) => [name, color]),
    ).toEqual([
      ['customers', 'red'],
      ['Team', 'blue'],
      ['Hiring', 'purple'],
      ['Follow up', 'orange'],
    ]);
    for (const tagId of first.tagIds) {
      const found = await service.call('GET', `/api/workspaces/active/meetings/search?tagIds=${tagId}`);
      expect((found.body as { total: number }).total).toBeGreaterThan(0);
    }
  });

  it('brings the same for the same seed, and something else for another', async () => {
    const orders = [{}, {}, { seed: 2 }, { seed: 2 }, { seed: -1 }, { languages: ['de-AT', 'DE'], seed: 2 }];
    const lists: (readonly object[])[] = [];
    for (const order of orders) {
      service.sandbox.reset();
      await seed(order);
      lists.push((await listMeetings()).map(withoutId));
    }
    const [first, second, ...others] = lists;
    expect(second).toEqual(first);
    expect(others[0]).not.toEqual(first);
    expect(others[1]).toEqual(others[0]);
    expect(others[2]).not.toEqual(first);
    expect(others[3]?.length).toBe(12);
  });

  it('sends no events and changes no meeting, now or later', async () => {
    const steps: SandboxStep[] = [];
    const clocked = createSandbox({
      clock: () => nowMs,
      transitions: 'clock',
      observe: (step) => steps.push(step),
    });
    clocked.seed({ meetings: 50 });
    clocked.clock.advance(30 * dayMs);
    expect([steps, clocked.deliveries()]).toEqual([[], []]);
    await clocked.close();
  });

  it.each([
    [{ meetings: 0 }, 'meetings: must be a whole number from 1 to 500.'],
    [{ meetings: 501 }, 'meetings: must be a whole number from 1 to 500.'],
    [{ meetings: 1.5 }, 'meetings: must be a whole number from 1 to 500.'],
    [{ meetings: null }, 'meetings: must be a whole number'],
    [{ days: 366 }, 'days: must be a whole number from 1 to 365.'],
    [{ seed: 1e300 }, 'seed: must be a whole number'],
    [{ languages: [] }, 'languages: must name a language; leave it out for all.'],
    [{ languages: ['de', 'fr'] }, 'languages.1: must be one of en, de, ja.'],
    [{ languages: 'de' }, 'languages: must be a list of language codes.'],
    [{ languages: ['__proto__'] }, 'languages.0: must be one of'],
    [{ count: 3 }, 'The body: Unrecognized key: "count".'],
    [[], 'The body: '],
  ])('refuses %j', async (body, message) => {
    expect(await seed(body)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', message: expect.stringContaining(message) as string },
    });
    expect(await listMeetings()).toEqual([]);
  });

  it('takes as much as it may', () => {
    const { meetingIds } = service.sandbox.seed({ meetings: 500, days: 1 });
    expect(new Set(meetingIds).size).toBe(500);
    expect(() => service.sandbox.seed({ meetings: 501 })).toThrow('500');
  });
});

it('holds meetings in half hours of working days, none twice while there are enough', async () => {
  service.sandbox.seed({ meetings: 60 });
  const times = (await listMeetings()).map(
    (meeting) => (meeting as unknown as { local_date_time: string }).local_date_time,
  );
  expect(new Set(times).size).toBe(60);
  for (const time of times) {
    expect(time).toMatch(/T(?:0[89]|1[0-6]):[03]0:00\.000Z$/);
    expect([1, 2, 3, 4, 5]).toContain(new Date(time).getUTCDay());
    expect(nowMs - Date.parse(time)).toBeLessThanOrEqual(30 * dayMs);
  }
});
