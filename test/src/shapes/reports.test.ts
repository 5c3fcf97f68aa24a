import type { Report } from '@aftermeet/client';
import type { KnobChanges } from '@aftermeet/sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { type ShapeHouse, startShapeHouse } from './shape-house.ts';

let house: ShapeHouse;
let meetingId: string;
let observed: Report;

beforeAll(async () => {
  house = await startShapeHouse();
  meetingId = await house.hold();
  const tag = await house.client.tags.create({ name: 'Launch' });
  await house.client.tags.attach({ meeting_id: meetingId, tag_id: tag.id });
  observed = await read();
});

afterEach(() => house.sandbox.knobs.reset());

afterAll(() => house.close());

async function read(knobs: KnobChanges = {}): Promise<Report> {
  house.sandbox.knobs.turn(knobs);
  const answer = await house.client.reports.get(meetingId);
  if (!answer.ready) throw new Error(`Not ready: ${answer.status}`);
  return withoutRaw(answer.report);
}

/** Without what is kept as it came. */
function withoutRaw({ templates, ...report }: Report): Report {
  const bare = templates.map(({ blocks, ...template }) => ({
    ...template,
    blocks: blocks.map(({ name, text }) => ({ name, text })),
  }));
  return { ...report, templates: bare, raw: undefined };
}

it('is whole in the observed shape', () => {
  expect(observed).toMatchObject({
    meetingId,
    title: 'Plans 1',
    durationSeconds: 140,
    isTranscriptEmpty: false,
    tags: ['Launch'],
    warnings: [],
  });
  expect(observed.tasks.length).toBeGreaterThan(2);
  expect(observed.transcript.length).toBeGreaterThan(10);
});

describe('a report', () => {
  it.each(['followup_v2', 'followup', 'report', 'data', 'bare'] as const)(
    'is the same within %s',
    async (reportShape) => {
      expect(await read({ reportShape })).toEqual(observed);
      expect(
        await read({ reportShape, extraFields: true, workspaceMetadata: { name: 'Ours', title: 'Us' } }),
      ).toEqual(observed);
    },
  );

  it('is the same with times in seconds, and with names for speakers', async () => {
    expect(await read({ reportTimes: 'seconds', reportSpeakers: 'text' })).toEqual(observed);
  });

  it('keeps the starts where only a clock tells the time', async () => {
    const told = await read({ reportTimes: 'clock' });
    const withoutEnds = observed.transcript.map(({ endSeconds: _end, ...segment }) => segment);
    expect(told.transcript).toEqual(withoutEnds);
    expect(told.chapters).toEqual(observed.chapters);
    expect(told.durationSeconds).toBe(140);
    expect(told.warnings).toEqual([]);
  });

  it('has the same tasks as text, and nothing of them is lost', async () => {
    const told = await read({ reportTasks: 'text' });
    const lines = observed.tasks.map(({ text, owner = '', dueDate }) =>
      dueDate === undefined ? `${text} (${owner})` : `${text} (${owner}, ${dueDate})`,
    );
    expect(told.tasks.map(({ text }) => text)).toEqual(lines);
    expect(told.warnings).toEqual([]);
  });

  it('has its blocks under other names, and they can be edited so', async () => {
    const told = await read({
      blockNames: { decisions: 'key_decisions', tasks: 'action_items', summary: 'short_summary' },
    });
    expect(told.templates[0]?.blocks.map(({ name }) => name)).toEqual([
      'short_summary',
      'key_decisions',
      'action_items',
    ]);
    expect(told.tasks).toEqual(observed.tasks);
    expect(told.decisions).toEqual(observed.decisions);
    await house.client.reports.editBlock({
      meeting_id: meetingId,
      templateId: told.templates[0]?.id ?? '',
      entityName: 'short_summary',
      newSummaryText: observed.summary ?? '',
    });
  });

  it('keeps a word for its state that nobody knows', async () => {
    expect(await read({ stateWords: { processed: 'erledigt' } })).toEqual({
      ...observed,
      status: 'erledigt',
    });
  });
});

describe('a report that is not ready', () => {
  it.each(['text', 'json'] as const)('says why, as %s', async (notReadyAnswer) => {
    const running = await house.hold(false);
    house.sandbox.knobs.turn({ notReadyAnswer, extraFields: true });
    expect(await house.client.reports.get(running)).toEqual({ ready: false, status: 'recording' });
    house.sandbox.knobs.turn({ stateWords: { recording: 'in_progress' } });
    expect(await house.client.reports.get(running)).toEqual({ ready: false, status: 'in_progress' });
  });
});

describe('a generated report', () => {
  it('names its template among fields that nobody knows', async () => {
    house.sandbox.knobs.turn({ extraFields: true, reportTimes: 'clock', reportTasks: 'text' });
    const made = await house.client.reports.generate({ meeting_id: meetingId, template_name: 'daily' });
    expect(made.createdTemplateId).toMatch(/^[0-9a-f-]{36}$/);
  });
});
