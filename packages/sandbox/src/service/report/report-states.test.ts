import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { makeChunkBody, multipartType } from '../../testing/multipart.ts';
import { startTestSandbox, type TestSandbox } from '../../testing/start-test-sandbox.ts';

const link = 'https://zoom.us/j/1';
const refusal = {
  status: 404,
  body: {
    code: 'TEMPLATE_NOT_FOUND',
    field: 'template_name',
    message: expect.stringContaining('GET /api/v2/workspaces/active/custom-templates lists') as string,
  },
};

let house: TestSandbox;

beforeAll(async () => {
  house = await startTestSandbox();
});

beforeEach(() => house.sandbox.reset());

afterAll(() => house.sandbox.close());

interface Followup {
  readonly name: string;
  readonly status: string;
  readonly keywords: readonly string[];
  readonly speakers: readonly { readonly id: string; readonly speaker: string }[];
  readonly templates: readonly {
    readonly name: string;
    readonly entities: readonly { name: string; text: string }[];
  }[];
}

const readReport = (meetingId: string) => house.call('GET', `/api/video/report?meeting_id=${meetingId}`);

async function readFollowup(meetingId: string): Promise<Followup> {
  const { body } = await readReport(meetingId);
  return (body as { followup_v2: Followup }).followup_v2;
}

const generate = (meetingId: string, template: string) =>
  house.call('POST', '/api/generate-new-template', { meeting_id: meetingId, template_name: template });

async function uploadChunk(number: 0 | 1, fields: Record<string, string | undefined>): Promise<unknown> {
  const bytes = Buffer.from(number === 0 ? 'hello' : '');
  const response = await fetch(`${house.url}/api/video`, {
    method: 'POST',
    headers: { 'X-API-KEY': 'sandbox_key', 'Content-Type': multipartType },
    body: makeChunkBody({ number, total: 2, bytes, size: 5, fields }),
  });
  return { status: response.status, body: await response.json() };
}

describe('a template that nobody knows', () => {
  it('is refused before anything is recorded', async () => {
    for (const templateName of ['nope', 'Team Sync', ' ', '__proto__', 'toString', 'x'.repeat(5000)]) {
      const answer = await house.call('POST', '/api/record-meeting', { link, template_name: templateName });
      expect(answer).toMatchObject(refusal);
    }
    expect((await house.call('GET', '/_sandbox/meetings')).body).toEqual({ meetings: [] });
  });

  it('is refused with the first chunk of a file, and the file can still be uploaded', async () => {
    expect(await uploadChunk(0, { template_name: 'nope' })).toMatchObject(refusal);
    expect(house.sandbox.uploads()).toEqual([]);
    expect(await uploadChunk(0, {})).toMatchObject({ status: 200 });
    expect(await uploadChunk(1, { template_name: 'nope' })).toMatchObject(refusal);
    expect(await uploadChunk(1, { template_name: 'team-sync' })).toMatchObject({ status: 200 });
  });

  it('gets a report like the default one where the knob says so', async () => {
    house.sandbox.knobs.turn({ unknownTemplate: 'accept' });
    const meetingId = await house.holdMeeting({ template_name: 'nope' });
    expect((await generate(meetingId, 'neither')).status).toBe(200);
    const { templates } = await readFollowup(meetingId);
    expect(templates.map(({ name, entities }) => [name, entities.map((entity) => entity.name)])).toEqual([
      ['nope', ['summary', 'decisions', 'tasks']],
      ['neither', ['summary', 'decisions', 'tasks']],
    ]);
  });
});

describe('a failed meeting', () => {
  it.each([
    [{}, 'The bot was not admitted to the meeting.'],
    [{ reason: 'Nobody came.' }, 'Nobody came.'],
  ])('has no report, and says why (%j)', async (failure, reason) => {
    const meetingId = await house.holdMeeting();
    house.sandbox.failMeeting(meetingId, failure);
    const answer = {
      status: 404,
      body: {
        code: 'REPORT_NOT_FOUND',
        message: `Processing of this meeting failed, and it has no report: ${reason}`,
        field: 'meeting_id',
      },
    };
    expect(await readReport(meetingId)).toMatchObject(answer);
    expect(await generate(meetingId, 'daily')).toMatchObject(answer);
  });

  it('has its report again when it is completed later', async () => {
    const meetingId = await house.holdMeeting();
    house.sandbox.failMeeting(meetingId);
    house.sandbox.completeMeeting(meetingId);
    expect((await readFollowup(meetingId)).templates).toHaveLength(1);
  });
});

describe('generating a report that takes time', () => {
  beforeEach(() => {
    house.sandbox.knobs.turn({ generateTakesTime: true });
  });

  it('makes the meeting wait for its processing to end', async () => {
    const meetingId = await house.holdMeeting();
    const { body } = await generate(meetingId, 'daily');
    expect((body as { followup: Followup }).followup.status).toBe('processing');
    expect(await readReport(meetingId)).toMatchObject({
      status: 202,
      body: 'Meeting is in progress now, status: processing',
    });
    expect(await generate(meetingId, 'brainstorm')).toMatchObject({ status: 409 });
    house.sandbox.completeMeeting(meetingId);
    const { templates } = await readFollowup(meetingId);
    expect(templates.map(({ name }) => name)).toEqual(['default-meeting', 'daily']);
  });

  it('takes no minutes a second time, and none of a meeting that was seeded', async () => {
    const minutes = { plan: 'lite', minutes_left: 100 };
    const held = await house.holdMeeting();
    const [seeded = ''] = house.sandbox.seed({ meetings: 1 }).meetingIds;
    await house.call('POST', '/_sandbox/plan', minutes);
    for (const meetingId of [held, seeded]) {
      expect((await generate(meetingId, 'daily')).status).toBe(200);
      house.sandbox.completeMeeting(meetingId);
    }
    expect((await house.call('GET', '/_sandbox/plan')).body).toEqual(minutes);
  });

  it('ends by the clock', async () => {
    const clocked = await startTestSandbox({ transitions: 'clock', knobs: { generateTakesTime: true } });
    const meetingId = await clocked.holdMeeting();
    const read = () => clocked.call('GET', `/api/video/report?meeting_id=${meetingId}`);
    const order = { meeting_id: meetingId, template_name: 'daily' };
    await clocked.call('POST', '/api/generate-new-template', order);
    expect((await read()).status).toBe(202);
    clocked.sandbox.clock.advance(60_000);
    expect((await read()).status).toBe(200);
    await clocked.sandbox.close();
  });
});

describe('a report', () => {
  it('is in the language of the meeting, keywords and blocks as well', async () => {
    const meetingId = await house.holdMeeting();
    house.sandbox.completeMeeting(meetingId, { language: 'ru' });
    await generate(meetingId, 'meeting-protocol');
    const { name, keywords, templates } = await readFollowup(meetingId);
    expect([name, ...keywords].join('')).toMatch(/^[\p{Script=Cyrillic}\s:.,]+$/u);
    expect(templates[1]?.entities[0]?.text).toMatch(/^\*\*Присутствовали:\*\* /);
  });

  it('calls its speakers by the same ids whenever it is read, and whatever was generated', async () => {
    const meetingId = await house.holdMeeting();
    const before = (await readFollowup(meetingId)).speakers;
    expect(before.map(({ id, speaker }) => [id, speaker])).toEqual([
      ['speaker_1', 'Maya Lindqvist'],
      ['speaker_2', 'Tom Okafor'],
      ['speaker_3', 'Priya Raman'],
    ]);
    await generate(meetingId, 'daily');
    expect((await readFollowup(meetingId)).speakers).toEqual(before);
  });

  it('cannot be generated, edited or read in blocks where nobody spoke', async () => {
    const meetingId = await house.holdMeeting();
    house.sandbox.completeMeeting(meetingId, { isTranscriptEmpty: true });
    expect(await readFollowup(meetingId)).toMatchObject({ speakers: [], keywords: [], templates: [] });
    expect(await generate(meetingId, 'daily')).toMatchObject({ status: 409 });
  });
});
