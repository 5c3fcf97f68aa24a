import { describe, expect, it } from 'vitest';

import { createSandbox } from './create-sandbox.ts';
import type { SandboxStep } from './sandbox-options.ts';
import { useTestSandbox } from './testing/sandbox.ts';

const nowMs = Date.parse('2026-07-07T12:00:00Z');
const dayMs = 86_400_000;

const service = useTestSandbox();

interface Listed {
  readonly meeting_id: string;
  readonly status: string;
  readonly source: string;
  readonly local_date_time: string;
  readonly script: string;
}

async function listMeetings(): Promise<readonly Listed[]> {
  const { body } = await service.call('GET', '/_sandbox/meetings');
  return (body as { meetings: Listed[] }).meetings.toReversed();
}

const seed = (body?: object) => service.call('POST', '/_sandbox/seed', body);

describe('seeding', () => {
  it('brings twelve meetings of all languages, one failed and one empty, with tags that find them', async () => {
    const { status, body } = await seed();
    const { meeting_ids: ids, tag_ids: tagIds } = body as { meeting_ids: string[]; tag_ids: string[] };
    const meetings = await listMeetings();
    expect([status, meetings.map((meeting) => meeting.meeting_id)]).toEqual([200, ids]);
    expect(new Set(meetings.map(({ script }) => script.slice(0, 2)))).toEqual(new Set(['en', 'de', 'ja']));
    expect(new Set(meetings.map(({ source }) => source)).size).toBeGreaterThanOrEqual(3);
    const states = meetings.map((meeting) => meeting.status);
    expect([states.filter((state) => state === 'failed').length, states.at(-1)]).toEqual([1, 'new']);
    expect(states).toContain('processed');
    const reports = await Promise.all(ids.map(async (id) => (await service.readReport(id)).body));
    expect(JSON.stringify(reports).match(/"is_transcript_empty":true/g)).toHaveLength(1);
    // Made once, also where the workspace has one of that name.
    expect((await seed()).body).toMatchObject({ tag_ids: tagIds });
    for (const tagId of tagIds) {
      const found = await service.call('GET', `/api/workspaces/active/meetings/search?tagIds=${tagId}`);
      expect((found.body as { total: number }).total).toBeGreaterThan(0);
    }
  });

  it('brings the same for the same seed, and something else for another', async () => {
    const lists: (readonly object[])[] = [];
    for (const order of [{}, {}, { seed: 2 }]) {
      service.sandbox.reset();
      await seed(order);
      lists.push((await listMeetings()).map(({ meeting_id: _id, ...rest }) => rest));
    }
    expect(lists[1]).toEqual(lists[0]);
    expect(lists[2]).not.toEqual(lists[0]);
  });

  it('sends no events and changes no meeting, now or later', async () => {
    const steps: SandboxStep[] = [];
    const observe = (step: SandboxStep): void => void steps.push(step);
    const clocked = createSandbox({ clock: () => nowMs, transitions: 'clock', observe });
    clocked.seed({ meetings: 50 });
    clocked.clock.advance(30 * dayMs);
    expect([steps, clocked.deliveries()]).toEqual([[], []]);
    await clocked.close();
  });

  it.each([
    [{ meetings: 501 }, 'meetings: must be a whole number from 1 to 500.'],
    [{ days: 366 }, 'days: must be a whole number from 1 to 365.'],
    [{ languages: [] }, 'languages: must name a language; leave it out for all.'],
    [{ languages: ['de', 'fr'] }, 'languages.1: must be one of en, de, ja.'],
    [{ count: 3 }, 'There is no such option: one of meetings, languages, seed, days.'],
  ])('refuses %j', async (body, message) => {
    expect(await seed(body)).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST', message } });
    expect(await listMeetings()).toEqual([]);
  });

  it('holds meetings in half hours of working days, none twice while there are enough', async () => {
    service.sandbox.seed({ meetings: 60 });
    const times = (await listMeetings()).map((meeting) => meeting.local_date_time);
    expect(new Set(times).size).toBe(60);
    for (const time of times) {
      expect(time).toMatch(/T(?:0[89]|1[0-6]):[03]0:00\.000Z$/);
      expect([1, 2, 3, 4, 5]).toContain(new Date(time).getUTCDay());
      expect(nowMs - Date.parse(time)).toBeLessThanOrEqual(30 * dayMs);
    }
  });
});
