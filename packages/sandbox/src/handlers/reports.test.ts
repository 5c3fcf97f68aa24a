import { templateSlugs } from '@aftermeet/contract';
import { beforeEach, describe, expect, it } from 'vitest';

import { contentLanguages, loadLanguage } from '../content/load-content.ts';
import { customTemplates } from '../content/report-templates.ts';
import { findScript } from '../content/scripts.ts';
import { timeScript } from '../content/time-script.ts';
import { listBlocks } from '../describe-report.ts';
import type { Meeting } from '../meetings.ts';
import { startTestSandbox, useTestSandbox } from '../testing/sandbox.ts';
import { makeChunkBody, multipartType } from '../testing/uploads.ts';

const designSync = '3d1f6a52-7c0e-4b8d-a9f3-5e2c81b46d07';

const service = useTestSandbox();

interface Template {
  readonly id: string;
  readonly name: string;
  readonly entities: readonly { readonly name: string; readonly text: unknown }[];
}

interface Followup {
  readonly name: string;
  readonly status: string;
  readonly keywords: readonly string[];
  readonly templates: readonly Template[];
}

async function readFollowup(meetingId: string): Promise<Followup> {
  const { body } = await service.readReport(meetingId);
  return (body as { followup_v2: Followup }).followup_v2;
}

const readTemplates = async (meetingId: string) => (await readFollowup(meetingId)).templates;

const generate = (meetingId: string, template: string) =>
  service.call('POST', '/api/generate-new-template', { meeting_id: meetingId, template_name: template });

const edit = (meetingId: string, fields: object) =>
  service.call('PUT', `/api/meeting/${meetingId}/summary`, fields);

describe('generating a report', () => {
  it('adds a template with blocks of its own, and leaves the status as it is', async () => {
    const meetingId = await service.holdMeeting();
    const { status, body } = await generate(meetingId, 'sales-coaching');
    const { created_template_id: id, followup } = body as {
      created_template_id: string;
      followup: Followup;
    };
    expect([status, followup.templates[1]?.id]).toEqual([200, id]);
    expect(await service.readStatus(meetingId)).toBe('new');
    const templates = await readTemplates(meetingId);
    expect(templates.map(({ name }) => name)).toEqual(['default-meeting', 'sales-coaching']);
    const speakers =
      /^\*\*Maya Lindqvist\*\*\n\n- Wanted .*\n\n\*\*Tom Okafor\*\*\n\n- Reported 212 workspaces/;
    expect(templates[1]).toEqual({
      id,
      name: 'sales-coaching',
      entities: [
        { name: 'sales_coach', text: expect.stringMatching(speakers) as string },
        { name: 'summary_by_speaker', text: expect.stringMatching(speakers) as string },
      ],
    });
  });

  it('makes a template anew that is there already', async () => {
    const meetingId = await service.holdMeeting();
    const [before] = await readTemplates(meetingId);
    await edit(meetingId, { templateId: before?.id, entityName: 'summary', newSummaryText: 'Mine' });
    await generate(meetingId, 'default-meeting');
    const templates = await readTemplates(meetingId);
    expect(templates).toHaveLength(1);
    expect(templates[0]?.id).not.toBe(before?.id);
    expect(templates[0]?.entities).toEqual(before?.entities);
  });

  it('takes a custom template by its id and calls it by its name', async () => {
    const meetingId = await service.holdMeeting();
    await generate(meetingId, designSync);
    expect((await readTemplates(meetingId))[1]).toMatchObject({
      name: 'Design sync',
      entities: [{ name: 'summary_agenda' }, { name: 'decisions' }, { name: 'tasks' }],
    });
  });

  it('answers 404 to an unknown template or meeting, and 409 before there is a report', async () => {
    const [held, running] = [await service.holdMeeting(), await service.record()];
    const refuse = async (meetingId: string, template: string) => {
      const { status, body } = await generate(meetingId, template);
      return [status, (body as { code: string }).code];
    };
    expect(await refuse(held, 'no-such-template')).toEqual([404, 'TEMPLATE_NOT_FOUND']);
    expect(await refuse('unknown', 'daily')).toEqual([404, 'MEETING_NOT_FOUND']);
    expect(await refuse(running, 'daily')).toEqual([409, 'REPORT_NOT_READY']);
    service.sandbox.completeMeeting(running, { isTranscriptEmpty: true });
    expect(await refuse(running, 'daily')).toEqual([409, 'TRANSCRIPT_EMPTY']);
  });
});

describe('editing a block', () => {
  it('puts the new text into the next report, and a second one in its place', async () => {
    const meetingId = await service.holdMeeting();
    const [template] = await readTemplates(meetingId);
    for (const newSummaryText of ['First', 'Второй **текст**', '']) {
      const fields = { templateId: template?.id, entityName: 'summary', newSummaryText };
      expect(await edit(meetingId, fields)).toMatchObject({ status: 200, body: 'OK' });
      const [edited] = await readTemplates(meetingId);
      expect(edited?.entities[0]).toEqual({ name: 'summary', text: newSummaryText });
      expect(edited?.entities.slice(1)).toEqual(template?.entities.slice(1));
    }
  });

  it('takes the id that a generation returned', async () => {
    const meetingId = await service.holdMeeting();
    const { body } = await generate(meetingId, 'meeting-protocol');
    const { created_template_id: templateId } = body as { created_template_id: string };
    await edit(meetingId, { templateId, entityName: 'tasks', newSummaryText: 'None.' });
    const [first, second] = await readTemplates(meetingId);
    expect(second?.entities.at(-1)).toEqual({ name: 'tasks', text: 'None.' });
    expect(first?.entities.at(-1)?.text).toHaveProperty('actions');
  });

  it.each([
    [{ templateId: 'unknown' }, 404, 'TEMPLATE_NOT_FOUND', 'templateId'],
    [{ entityName: 'sales_coach' }, 404, 'ENTITY_NOT_FOUND', 'entityName'],
    [{ templateId: undefined }, 400, 'INVALID_REQUEST', 'templateId'],
    [{ entityName: undefined }, 400, 'INVALID_REQUEST', 'entityName'],
    [{ newSummaryText: undefined }, 400, 'INVALID_REQUEST', 'newSummaryText'],
  ])('refuses %j', async (change, status, code, field) => {
    const meetingId = await service.holdMeeting();
    const [template] = await readTemplates(meetingId);
    const fields = { templateId: template?.id, entityName: 'summary', newSummaryText: 'x', ...change };
    expect(await edit(meetingId, fields)).toMatchObject({ status, body: { code, field } });
  });

  it('answers 404 for a meeting that is unknown or whose transcript is empty', async () => {
    const fields = { templateId: 'x', entityName: 'summary', newSummaryText: 'x' };
    const meetingId = await service.record();
    service.sandbox.completeMeeting(meetingId, { isTranscriptEmpty: true });
    expect(await edit('unknown', fields)).toMatchObject({
      status: 404,
      body: { code: 'MEETING_NOT_FOUND' },
    });
    expect(await edit(meetingId, fields)).toMatchObject({
      status: 404,
      body: { code: 'TEMPLATE_NOT_FOUND' },
    });
  });
});

it('lists the custom templates under ids that stay the same', async () => {
  expect((await service.call('GET', '/api/v2/workspaces/active/custom-templates')).body).toEqual({
    templates: [
      { id: designSync, name: 'Design sync' },
      { id: 'b84e20c9-16f5-4a73-9d0b-c2f7e5a1384d', name: 'Customer call' },
    ],
  });
});

describe('an unknown template', () => {
  const refusal = {
    status: 404,
    body: {
      code: 'TEMPLATE_NOT_FOUND',
      field: 'template_name',
      message: expect.stringContaining('GET /api/v2/workspaces/active/custom-templates lists') as string,
    },
  };

  it('is refused before anything is recorded', async () => {
    for (const template_name of ['nope', 'Team Sync', ' ', '__proto__', 'toString', 'x'.repeat(5000)]) {
      const fields = { link: 'https://zoom.us/j/1', template_name };
      expect(await service.call('POST', '/api/record-meeting', fields)).toMatchObject(refusal);
    }
    expect((await service.call('GET', '/_sandbox/meetings')).body).toEqual({ meetings: [] });
  });

  it('is refused with the first chunk of a file, and the file can still be uploaded', async () => {
    const send = async (number: 0 | 1, fields: Record<string, string>): Promise<unknown> => {
      const bytes = Buffer.from(number === 0 ? 'hello' : '');
      const response = await fetch(`${service.url}/api/video`, {
        method: 'POST',
        headers: { 'X-API-KEY': 'sandbox_key', 'Content-Type': multipartType },
        body: makeChunkBody({ number, total: 2, bytes, size: 5, fields }),
      });
      return { status: response.status, body: await response.json() };
    };
    expect(await send(0, { template_name: 'nope' })).toMatchObject(refusal);
    expect(service.sandbox.uploads()).toEqual([]);
    expect(await send(0, {})).toMatchObject({ status: 200 });
    expect(await send(1, { template_name: 'nope' })).toMatchObject(refusal);
    expect(await send(1, { template_name: 'team-sync' })).toMatchObject({ status: 200 });
  });
});

describe('a failed meeting', () => {
  it.each([
    [{}, 'The bot was not admitted to the meeting.'],
    [{ reason: 'The room was empty.' }, 'The room was empty.'],
  ])('has no report and says why (%j), until it is completed later', async (failure, reason) => {
    const meetingId = await service.holdMeeting();
    service.sandbox.failMeeting(meetingId, failure);
    const message = `Processing of this meeting failed, and it has no report: ${reason}`;
    const answer = { status: 404, body: { code: 'REPORT_NOT_FOUND', message, field: 'meeting_id' } };
    expect(await service.readReport(meetingId)).toMatchObject(answer);
    expect(await generate(meetingId, 'daily')).toMatchObject(answer);
    service.sandbox.completeMeeting(meetingId);
    expect(await readTemplates(meetingId)).toHaveLength(1);
  });
});

describe('generating a report that takes time', () => {
  beforeEach(() => {
    service.sandbox.options.set({ generateTakesTime: true });
  });

  it('makes the meeting wait for its processing to end', async () => {
    const meetingId = await service.holdMeeting();
    const { body } = await generate(meetingId, 'daily');
    expect((body as { followup: Followup }).followup.status).toBe('processing');
    expect((await service.readReport(meetingId)).status).toBe(202);
    expect(await generate(meetingId, 'brainstorm')).toMatchObject({ status: 409 });
    service.sandbox.completeMeeting(meetingId);
    const names = (await readTemplates(meetingId)).map(({ name }) => name);
    expect(names).toEqual(['default-meeting', 'daily']);
  });

  it('takes no minutes a second time, and none of a meeting that was seeded', async () => {
    const minutes = { plan: 'lite', minutes_left: 100 };
    const held = await service.holdMeeting();
    const [seeded = ''] = service.sandbox.seed({ meetings: 1 }).meetingIds;
    await service.call('POST', '/_sandbox/plan', minutes);
    for (const meetingId of [held, seeded]) {
      expect((await generate(meetingId, 'daily')).status).toBe(200);
      service.sandbox.completeMeeting(meetingId);
    }
    expect((await service.call('GET', '/_sandbox/plan')).body).toEqual(minutes);
  });

  it('ends by the clock', async () => {
    const clocked = await startTestSandbox({ transitions: 'clock', options: { generateTakesTime: true } });
    const meetingId = await clocked.holdMeeting();
    const order = { meeting_id: meetingId, template_name: 'daily' };
    await clocked.call('POST', '/api/generate-new-template', order);
    expect((await clocked.readReport(meetingId)).status).toBe(202);
    clocked.sandbox.clock.advance(60_000);
    expect((await clocked.readReport(meetingId)).status).toBe(200);
    await clocked.sandbox.close();
  });
});

it('a report is in the language of the meeting, keywords and blocks as well', async () => {
  const meetingId = await service.record();
  service.sandbox.completeMeeting(meetingId, { language: 'de' });
  await generate(meetingId, 'meeting-protocol');
  const { name, keywords, templates } = await readFollowup(meetingId);
  expect(name).toMatch(/^Retrospektive Sprint \d+$/);
  expect(keywords).toContain('Retrospektive');
  expect(templates[1]?.entities[0]?.text).toMatch(/^\*\*Anwesend:\*\* /);
});

describe('reports in every language', () => {
  const templateNames = [...templateSlugs.map(({ slug }) => slug), ...customTemplates.map(({ id }) => id)];

  const meeting: Meeting = {
    id: 'm',
    title: 'x',
    source: 'gmeet',
    authorId: 'u',
    localDateTime: '2026-07-07T12:00:00.000Z',
    isScheduled: false,
    templates: [],
    tagIds: [],
    status: 'new',
    statusSinceMs: 0,
    isTranscriptEmpty: false,
    scriptId: '',
  };

  /** Words of a report that are not the meeting's own. */
  const english = /\b(?:Agreed|Present|Hello everybody|In short|What we agreed)/;

  const groups: readonly (readonly [language: string, scriptIds: readonly string[]])[] = [
    ['en', ['launch-review', 'warehouse-sync', 'long/430']],
    ...contentLanguages.map((language) => {
      const names = Object.keys(loadLanguage(language).meetings);
      return [language, names.map((name) => `${language}/${name}`)] as const;
    }),
  ];

  it.each(groups)('has no empty block by any template in %s', (language, scriptIds) => {
    for (const scriptId of scriptIds) {
      const chapters = timeScript(findScript(scriptId));
      const texts = templateNames.flatMap((templateName) => {
        const template = { id: 't', templateName, edits: [] };
        const blocks = listBlocks({ ...meeting, scriptId }, template, chapters);
        expect(blocks.length).toBeGreaterThan(0);
        return blocks.map(({ text }) => JSON.stringify(text));
      });
      // Japanese says as much with half the characters.
      const fewest = language === 'ja' ? 30 : 60;
      expect(texts.filter((text) => text.length < fewest)).toEqual([]);
      expect(texts.filter((text) => /[{]\w+[}]|undefined|NaN|null %/.test(text))).toEqual([]);
      expect(texts.filter((text) => language !== 'en' && english.test(text))).toEqual([]);
    }
  });
});
