import { templateSlugs } from '@aftermeet/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startTestSandbox, type TestSandbox } from '../../testing/start-test-sandbox.ts';

const designSync = '3d1f6a52-7c0e-4b8d-a9f3-5e2c81b46d07';

let house: TestSandbox;

beforeAll(async () => {
  house = await startTestSandbox();
});

beforeEach(() => house.sandbox.reset());

afterAll(() => house.sandbox.close());

interface Template {
  readonly id: string;
  readonly name: string;
  readonly entities: readonly { readonly name: string; readonly text: unknown }[];
}

async function readTemplates(meetingId: string): Promise<readonly Template[]> {
  const { body } = await house.call('GET', `/api/video/report?meeting_id=${meetingId}`);
  return (body as { followup_v2: { templates: Template[] } }).followup_v2.templates;
}

const generate = (meetingId: string, template: string) =>
  house.call('POST', '/api/generate-new-template', { meeting_id: meetingId, template_name: template });

const edit = (meetingId: string, fields: object) =>
  house.call('PUT', `/api/meeting/${meetingId}/summary`, fields);

describe('generating a report', () => {
  it('adds a template with blocks of its own', async () => {
    const meetingId = await house.holdMeeting();
    const { status, body } = await generate(meetingId, 'sales-coaching');
    const { created_template_id: id, followup } = body as {
      created_template_id: string;
      followup: { templates: Template[] };
    };
    expect(status).toBe(200);
    expect(followup.templates[1]?.id).toBe(id);
    const templates = await readTemplates(meetingId);
    expect(templates.map(({ name }) => name)).toEqual(['default-meeting', 'sales-coaching']);
    expect(templates[1]).toEqual({
      id,
      name: 'sales-coaching',
      entities: [
        {
          name: 'sales_coach',
          text: '- **Maya Lindqvist** spoke 28% of the time\n- **Tom Okafor** spoke 39% of the time\n- **Priya Raman** spoke 33% of the time',
        },
        {
          name: 'summary_by_speaker',
          text: expect.stringContaining('**Tom Okafor**\n\n- Better than I feared.') as string,
        },
      ],
    });
  });

  it('leaves the status as it is', async () => {
    const meetingId = await house.holdMeeting();
    await generate(meetingId, 'daily');
    expect((await house.call('GET', `/api/meeting/status?meeting_id=${meetingId}`)).body).toBe('new');
  });

  it('makes a template anew that is there already', async () => {
    const meetingId = await house.holdMeeting();
    const [before] = await readTemplates(meetingId);
    await edit(meetingId, { templateId: before?.id, entityName: 'summary', newSummaryText: 'Mine' });
    await generate(meetingId, 'default-meeting');
    const templates = await readTemplates(meetingId);
    expect(templates).toHaveLength(1);
    expect(templates[0]?.id).not.toBe(before?.id);
    expect(templates[0]?.entities).toEqual(before?.entities);
  });

  it('knows all sixteen built-in templates', async () => {
    const meetingId = await house.holdMeeting();
    const slugs = templateSlugs.map(({ slug }) => slug);
    for (const slug of slugs) await generate(meetingId, slug);
    expect((await readTemplates(meetingId)).map(({ name }) => name)).toEqual(slugs);
  });

  it('takes a custom template by its id and calls it by its name', async () => {
    const meetingId = await house.holdMeeting();
    await generate(meetingId, designSync);
    expect((await readTemplates(meetingId))[1]).toMatchObject({
      name: 'Design sync',
      entities: [{ name: 'summary_agenda' }, { name: 'decisions' }, { name: 'tasks' }],
    });
  });

  it('answers 404 to an unknown template or meeting, and 409 before there is a report', async () => {
    const meetingId = await house.holdMeeting();
    expect(await generate(meetingId, 'no-such-template')).toMatchObject({
      status: 404,
      body: { code: 'TEMPLATE_NOT_FOUND', field: 'template_name' },
    });
    expect(await generate('unknown', 'daily')).toMatchObject({
      status: 404,
      body: { code: 'MEETING_NOT_FOUND' },
    });
    const { body } = await house.call('POST', '/api/record-meeting', { link: 'https://zoom.us/j/1' });
    const { meeting_id: running } = body as { meeting_id: string };
    expect(await generate(running, 'daily')).toMatchObject({
      status: 409,
      body: { code: 'REPORT_NOT_READY' },
    });
    house.sandbox.completeMeeting(running, { isTranscriptEmpty: true });
    expect(await generate(running, 'daily')).toMatchObject({
      status: 409,
      body: { code: 'TRANSCRIPT_EMPTY' },
    });
  });
});

describe('editing a block', () => {
  it('puts the new text into the next report, and a second one in its place', async () => {
    const meetingId = await house.holdMeeting();
    const [template] = await readTemplates(meetingId);
    for (const newSummaryText of ['First', 'Второй **текст**', '']) {
      const answer = await edit(meetingId, {
        templateId: template?.id,
        entityName: 'summary',
        newSummaryText,
      });
      expect(answer).toMatchObject({ status: 200, body: 'OK' });
      const [edited] = await readTemplates(meetingId);
      expect(edited?.entities[0]).toEqual({ name: 'summary', text: newSummaryText });
      expect(edited?.entities.slice(1)).toEqual(template?.entities.slice(1));
    }
  });

  it('takes the id that a generation returned', async () => {
    const meetingId = await house.holdMeeting();
    const { created_template_id: templateId } = (await generate(meetingId, 'meeting-protocol')).body as {
      created_template_id: string;
    };
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
    const meetingId = await house.holdMeeting();
    const [template] = await readTemplates(meetingId);
    const fields = { templateId: template?.id, entityName: 'summary', newSummaryText: 'x', ...change };
    expect(await edit(meetingId, fields)).toMatchObject({ status, body: { code, field } });
  });

  it('answers 404 for a meeting that is unknown or where nobody spoke', async () => {
    const fields = { templateId: 'x', entityName: 'summary', newSummaryText: 'x' };
    expect(await edit('unknown', fields)).toMatchObject({ status: 404, body: { code: 'MEETING_NOT_FOUND' } });
    const meetingId = await house.holdMeeting();
    house.sandbox.completeMeeting(meetingId, { isTranscriptEmpty: true });
    expect(await edit(meetingId, fields)).toMatchObject({
      status: 404,
      body: { code: 'TEMPLATE_NOT_FOUND' },
    });
  });
});

it('lists the custom templates under ids that stay the same', async () => {
  expect((await house.call('GET', '/api/v2/workspaces/active/custom-templates')).body).toEqual({
    templates: [
      { id: designSync, name: 'Design sync' },
      { id: 'b84e20c9-16f5-4a73-9d0b-c2f7e5a1384d', name: 'Customer call' },
    ],
  });
});
