import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { startTestSandbox, type TestSandbox } from '../../testing/start-test-sandbox.ts';
import { uploadWhole } from '../../testing/upload-whole.ts';
import { describeKnobs } from './describe-knobs.ts';
import type { KnobChanges, Knobs } from './knobs.ts';

/** What somebody sees of a knob: as the sandbox is by itself, and with the knob turned. */
interface KnobCase<Name extends keyof Knobs> {
  readonly value: NonNullable<KnobChanges[Name]>;
  readonly look: (house: TestSandbox) => Promise<unknown>;
  readonly before: unknown;
  readonly after: unknown;
  /** True: looking takes time, which no reset brings back. */
  readonly takesTime?: boolean;
}

const link = 'https://meet.google.com/abc-defg-hij';

const record = (house: TestSandbox, fields: object = {}) =>
  house.call('POST', '/api/record-meeting', { link, ...fields });
const startOne = async (house: TestSandbox) => {
  await record(house, { title: 'Plans' });
  const [meeting] = (
    (await house.call('GET', '/_sandbox/meetings')).body as { meetings: { meeting_id: string }[] }
  ).meetings;
  return meeting?.meeting_id ?? '';
};
const search = async (house: TestSandbox, query = '') =>
  house.call('GET', `/api/workspaces/active/meetings/search${query}`);
const createTag = (house: TestSandbox, name: string, color?: string) =>
  house.call('POST', '/api/workspaces/active/tags', { name, color });
const listTags = async (house: TestSandbox) => (await house.call('GET', '/api/workspaces/active/tags')).body;
const readStatus = (house: TestSandbox, id: string) =>
  house.call('GET', `/api/meeting/status?meeting_id=${id}`);
const stop = (house: TestSandbox, id: string) =>
  house.call('POST', '/api/stop-recording', { meeting_id: id });
const readReport = async (house: TestSandbox) => {
  const id = await house.holdMeeting({ title: 'Plans' });
  return (await house.call('GET', `/api/video/report?meeting_id=${id}`)).body as Record<string, Fields>;
};
const listTemplates = async (house: TestSandbox) =>
  (await house.call('GET', '/api/v2/workspaces/active/custom-templates')).body;
const unknown = (house: TestSandbox) => readStatus(house, 'nobody');
const readHead = async (house: TestSandbox, path: string, ...names: string[]) => {
  const response = await fetch(house.url + path, { headers: { 'X-API-KEY': 'sandbox_key' } });
  await response.body?.cancel();
  return [response.status, ...names.map((name) => response.headers.get(name))];
};
const announce = async (house: TestSandbox) => {
  await record(house, { webhook_url: 'http://127.0.0.1:9/hook' });
  const { meetings } = (await house.call('GET', '/_sandbox/meetings')).body as {
    meetings: { meeting_id: string }[];
  };
  house.sandbox.completeMeeting(meetings[0]?.meeting_id ?? '');
  const [sent] = house.sandbox.deliveries();
  const { body } = await house.call('GET', `/_sandbox/deliveries/${sent?.id ?? ''}`);
  return JSON.parse((body as { delivery: { body: string } }).delivery.body) as Fields;
};
const listTools = async (house: TestSandbox) => {
  const response = await fetch(`${house.url}/mcp`, {
    method: 'POST',
    headers: {
      Authorization: 'Bearer sandbox_key',
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  return [...(await response.text()).matchAll(/"name":"([a-z_]+)"/g)].map(([, name]) => name);
};

type Fields = Readonly<Record<string, unknown>>;

const id = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
const json = 'application/json; charset=utf-8';
const text = 'text/plain; charset=utf-8';
const ok = { status: 200, type: text, body: 'OK' };
const tag = (name: string, color = 'blue') => ({ id, name, color });
const found = {
  id,
  name: 'Plans',
  date: '2026-07-07T12:00:00.000Z',
  source: 'gmeet',
  status: 'recording',
  tags: [],
};
const templates = [
  { id: '3d1f6a52-7c0e-4b8d-a9f3-5e2c81b46d07', name: 'Design sync' },
  { id: 'b84e20c9-16f5-4a73-9d0b-c2f7e5a1384d', name: 'Customer call' },
];
const notFound = {
  code: 'MEETING_NOT_FOUND',
  message: 'No meeting has this meeting_id.',
  field: 'meeting_id',
};
const error = (status: number, field: string) => ({ status, body: { code: 'INVALID_REQUEST', field } });

const cases: { readonly [Name in keyof Knobs]: KnobCase<Name> } = {
  sources: {
    value: ['gmeet'],
    look: (house) => record(house, { source: 'zoom' }),
    before: { status: 200 },
    after: error(400, 'source'),
  },
  requiredRecordingFields: {
    value: ['title'],
    look: record,
    before: { status: 200 },
    after: error(400, 'title'),
  },
  searchParameters: {
    value: { authors: 'author', page: 'from' },
    look: async (house) => [
      (await search(house, '?author=nobody')).status,
      (await search(house, '?authors=nobody')).status,
      (await search(house, '?from=0')).status,
      (await search(house, '?perPage=1')).status,
    ],
    before: [400, 200, 400, 200],
    after: [200, 400, 200, 200],
  },
  unknownFields: {
    value: 'ignore',
    look: async (house) => [(await record(house, { x: 1 })).status, (await search(house, '?x=1')).status],
    before: [400, 400],
    after: [200, 200],
  },
  unknownTemplate: {
    value: 'accept',
    look: async (house) =>
      house.call('POST', '/api/generate-new-template', {
        meeting_id: await house.holdMeeting(),
        template_name: 'no-such-template',
      }),
    before: { status: 404 },
    after: { status: 200 },
  },
  apiVersions: {
    value: 'any',
    look: async (house) =>
      Promise.all(
        [
          '/api/v3/workspaces/active/tags',
          '/api/v2/meeting/status?meeting_id=x',
          '/api/workspaces/active/custom-templates',
          '/api/v1/workspaces/active/custom-templates',
          '/api/v2/workspaces/active/custom-templates',
          '/api/workspaces/active/tags',
          '/v2/workspaces/active/tags',
        ].map(async (path) => ((await house.call('GET', path)).body as Fields)['code'] ?? 'ok'),
      ),
    before: ['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'ok', 'ok', 'NOT_FOUND'],
    after: ['ok', 'MEETING_NOT_FOUND', 'ok', 'ok', 'ok', 'ok', 'NOT_FOUND'],
  },
  extraFields: {
    value: true,
    look: listTags,
    before: { tags: [], nextCursor: null },
    after: {
      tags: [],
      nextCursor: null,
      sandbox_extra: { since: 'a later version', flags: ['new', null, 3], details: { text: '' } },
    },
  },
  stateWords: {
    value: { recording: 'in_progress' },
    look: async (house) => {
      const { body } = await record(house, { title: 'Plans' });
      const { meeting_id: meetingId, status } = body as { meeting_id: string; status: string };
      return [
        status,
        (await readStatus(house, meetingId)).body,
        (await house.call('GET', `/api/video/report?meeting_id=${meetingId}`)).body,
        ((await search(house)).body as { followups: Fields[] }).followups[0]?.['status'],
        ((await house.call('DELETE', `/api/record-meeting?meeting_id=${meetingId}`)).body as Fields)[
          'message'
        ],
      ];
    },
    before: [
      'recording',
      'recording',
      'Meeting is in progress now, status: recording',
      'recording',
      expect.stringContaining('is recording'),
    ],
    after: [
      'in_progress',
      'in_progress',
      'Meeting is in progress now, status: in_progress',
      'in_progress',
      expect.stringContaining('is in_progress'),
    ],
  },
  startAnswer: {
    value: 'id_text',
    look: record,
    before: { status: 200, type: json, body: { meeting_id: id } },
    after: { status: 200, type: text, body: id },
  },
  statusAnswer: {
    value: 'nested',
    look: async (house) => readStatus(house, await startOne(house)),
    before: { status: 200, type: text, body: 'recording' },
    after: { status: 200, type: json, body: { data: { meeting_id: id, status: 'recording' } } },
  },
  notReadyAnswer: {
    value: 'json',
    look: async (house) => house.call('GET', `/api/video/report?meeting_id=${await startOne(house)}`),
    before: { status: 202, type: text, body: 'Meeting is in progress now, status: recording' },
    after: {
      status: 202,
      type: json,
      body: { status: 'recording', message: 'Meeting is in progress now, status: recording' },
    },
  },
  acknowledgement: {
    value: 'empty',
    look: async (house) => stop(house, await startOne(house)),
    before: ok,
    after: { status: 204, type: null, body: '' },
  },
  duplicateUploadAnswer: {
    value: 'conflict',
    look: async (house) => {
      await uploadWhole(house.url, 'the same');
      return uploadWhole(house.url, 'the same');
    },
    before: { status: 200, body: { meeting_id: id, user_id: id, duplicate: true } },
    after: { status: 409, body: { code: 'DUPLICATE_UPLOAD', meeting_id: id, user_id: id } },
  },
  searchShape: {
    value: 'data',
    look: async (house) => {
      await startOne(house);
      return (await search(house)).body;
    },
    before: { total: 1, followups: [found] },
    after: { data: { total: 1, items: [found] } },
  },
  meetingFields: {
    value: 'specified',
    look: async (house) => {
      await startOne(house);
      return ((await search(house)).body as { followups: unknown[] }).followups[0];
    },
    before: found,
    after: {
      meeting_id: id,
      title: 'Plans',
      local_date_time: '2026-07-07T12:00:00.000Z',
      source: 'gmeet',
      status: 'recording',
      tags: [],
    },
  },
  tagListShape: {
    value: 'items',
    look: async (house) => {
      await createTag(house, 'One');
      return listTags(house);
    },
    before: { tags: [tag('One')], nextCursor: null },
    after: { items: [tag('One')], next_cursor: null },
  },
  tagAnswer: {
    value: 'data',
    look: (house) => createTag(house, 'One'),
    before: { status: 201, body: { tag: tag('One'), created: true } },
    after: { status: 201, body: { data: tag('One') } },
  },
  templateListShape: {
    value: 'bare',
    look: listTemplates,
    before: { templates },
    after: templates,
  },
  templateFields: {
    value: 'specified',
    look: listTemplates,
    before: { templates },
    after: { templates: templates.map((one) => ({ template_id: one.id, template_name: one.name })) },
  },
  errorShape: {
    value: 'nested',
    look: unknown,
    before: { status: 404, type: json, body: notFound },
    after: { status: 404, type: json, body: { error: notFound } },
  },
  errorCodes: {
    value: { MEETING_NOT_FOUND: 'no_meeting' },
    look: unknown,
    before: { status: 404, type: json, body: notFound },
    after: { status: 404, type: json, body: { ...notFound, code: 'no_meeting' } },
  },
  reportShape: {
    value: 'report',
    look: async (house) => Object.keys(await readReport(house)).toSorted(),
    before: ['feedback', 'followup_v2', 'media_type', 'tags'],
    after: ['feedback', 'media_type', 'report', 'tags'],
  },
  reportTimes: {
    value: 'clock',
    look: async (house) => {
      const { duration, chapters } = (await readReport(house))['followup_v2'] ?? {};
      const [chapter] = chapters as (Fields & { transcript: Fields[] })[];
      const { transcript, ...head } = chapter ?? { transcript: [] };
      return [duration, head, Object.keys(transcript[0] ?? {})];
    },
    before: [
      140,
      { name: 'Where the beta stands', startSeconds: 4, endSeconds: 56 },
      ['speaker', 'text', 'timestamp', 'startSeconds', 'endSeconds'],
    ],
    after: [
      '00:02:20',
      { name: 'Where the beta stands', start: '00:00:04', end: '00:00:56' },
      ['speaker', 'text', 'timestamp'],
    ],
  },
  reportSpeakers: {
    value: 'text',
    look: async (house) => {
      const { chapters } = (await readReport(house))['followup_v2'] ?? {};
      return (chapters as { transcript: Fields[] }[])[0]?.transcript[0]?.['speaker'];
    },
    before: { speaker: 'Maya Lindqvist' },
    after: 'Maya Lindqvist',
  },
  reportTasks: {
    value: 'text',
    look: async (house) => readBlock(await readReport(house), 'tasks'),
    before: { actions: expect.any(Array) as unknown[] },
    after: expect.stringMatching(/^- .* \(Priya Raman, 2026-07-11\)\n- /) as string,
  },
  blockNames: {
    value: { summary: 'overview' },
    look: async (house) => {
      const report = await readReport(house);
      const { id: meetingId, templates: made } = report['followup_v2'] as {
        id: string;
        templates: { id: string }[];
      };
      const edit = async (entityName: string) =>
        house.call('PUT', `/api/meeting/${meetingId}/summary`, {
          templateId: made[0]?.id,
          entityName,
          newSummaryText: 'Other',
        });
      const blocks = [readBlock(report, 'summary'), readBlock(report, 'overview')].map(
        (block) => block !== undefined,
      );
      return [...blocks, (await edit('overview')).status];
    },
    before: [true, false, 404],
    after: [false, true, 200],
  },
  generateTakesTime: {
    value: true,
    look: async (house) => {
      const meetingId = await house.holdMeeting();
      await house.call('POST', '/api/generate-new-template', {
        meeting_id: meetingId,
        template_name: 'daily',
      });
      return (await readStatus(house, meetingId)).body;
    },
    before: 'new',
    after: 'processing',
  },
  workspaceMetadata: {
    value: { name: 'Ours' },
    look: async (house) => (await readReport(house))['workspace'],
    before: undefined,
    after: { name: 'Ours' },
  },
  tagColors: {
    value: ['pink'],
    look: async (house) => [
      (await createTag(house, 'One')).body,
      (await createTag(house, 'Two', 'pink')).status,
      (await createTag(house, 'Three', 'blue')).status,
    ],
    before: [{ tag: tag('One'), created: true }, 400, 201],
    after: [{ tag: tag('One', 'pink'), created: true }, 201, 400],
  },
  tagNameMaxLength: {
    value: 3,
    look: async (house) => [(await createTag(house, 'abc')).status, (await createTag(house, 'abcd')).status],
    before: [201, 201],
    after: [201, 400],
  },
  searchPageSize: {
    value: 1,
    look: async (house) => {
      await record(house, { link: `${link}1` });
      await record(house, { link: `${link}2` });
      const pages = ['', '?perPage=2', '?page=1'].map(async (query) => (await search(house, query)).body);
      return (await Promise.all(pages)).map((body) => (body as { followups: unknown[] }).followups.length);
    },
    before: [2, 2, 0],
    after: [1, 1, 1],
  },
  tagPageSize: {
    value: 1,
    look: async (house) => {
      await createTag(house, 'One');
      await createTag(house, 'Two');
      return listTags(house);
    },
    before: { tags: [tag('One'), tag('Two')], nextCursor: null },
    after: { tags: [tag('One')], nextCursor: id },
  },
  maxBodyBytes: {
    value: 1000,
    look: async (house) => [
      (await createTag(house, 'x'.repeat(900))).status,
      (await createTag(house, 'x'.repeat(1001))).body,
    ],
    before: [
      400,
      { code: 'INVALID_REQUEST', field: 'name', message: 'name must have at most 24 characters.' },
    ],
    after: [400, { code: 'BODY_TOO_LARGE', message: 'The body must be at most 1000 bytes of JSON.' }],
  },
  uploadLifetimeHours: {
    value: 1,
    takesTime: true,
    look: async (house) => {
      await uploadWhole(house.url, 'unfinished', { isFinished: false });
      house.sandbox.clock.advance(2 * 3_600_000);
      return house.sandbox.uploads().length;
    },
    before: 1,
    after: 0,
  },
  keyLifetimeSeconds: {
    value: 60,
    takesTime: true,
    look: async (house) => {
      house.sandbox.clock.advance(60_000);
      return unknown(house);
    },
    before: { status: 404 },
    after: { status: 401, body: { code: 'KEY_EXPIRED' } },
  },
  rateLimit: {
    value: { requests: 2, perSeconds: 10 },
    takesTime: true,
    look: async (house) => {
      const ask = () => readHead(house, '/api/workspaces/active/tags', 'retry-after');
      const first = [await ask(), await ask(), await ask()];
      house.sandbox.clock.advance(2500);
      first.push(await ask());
      house.sandbox.clock.advance(7500);
      return [...first, await ask()];
    },
    before: [1, 2, 3, 4, 5].map(() => [200, null]),
    after: [
      [200, null],
      [200, null],
      [429, '10'],
      [429, '8'],
      [200, null],
    ],
  },
  deprecation: {
    value: { since: '2026-07-01T00:00:00Z', sunset: '2026-07-07T13:00:00+00:00' },
    takesTime: true,
    look: async (house) => {
      const ask = () => readHead(house, '/api/workspaces/active/tags', 'deprecation', 'sunset');
      const first = await ask();
      house.sandbox.clock.advance(3_600_000);
      return [first, await ask()];
    },
    before: [
      [200, null, null],
      [200, null, null],
    ],
    after: [
      [200, '@1782864000', 'Tue, 07 Jul 2026 13:00:00 GMT'],
      [410, '@1782864000', 'Tue, 07 Jul 2026 13:00:00 GMT'],
    ],
  },
  eventTimestamp: {
    value: 'unix_seconds',
    look: async (house) => (await announce(house))['timestamp'],
    before: '2026-07-07T12:00:00Z',
    after: 1_783_425_600,
  },
  eventExtraFields: {
    value: true,
    look: async (house) => Object.keys(await announce(house)),
    before: ['event', 'meeting_id', 'timestamp', 'data'],
    after: ['event', 'meeting_id', 'timestamp', 'data', 'api_version', 'trace'],
  },
  mcpToolNames: {
    value: { search_meetings: 'find' },
    look: async (house) =>
      (await listTools(house)).filter((name) => name === 'search_meetings' || name === 'find'),
    before: ['search_meetings'],
    after: ['find'],
  },
};

function readBlock(report: Record<string, Fields>, name: string): unknown {
  const { templates: made } = report['followup_v2'] as { templates: { entities: Fields[] }[] };
  return made[0]?.entities.find((block) => block['name'] === name)?.['text'];
}

let house: TestSandbox;

beforeAll(async () => {
  house = await startTestSandbox();
});

beforeEach(() => {
  house.sandbox.reset();
});

afterAll(() => house.sandbox.close());

describe.each(Object.entries(cases))('the knob %s', (name, { value, look, before, after, takesTime }) => {
  it.each([
    ['as it is by itself', {}, before],
    ['turned', { [name]: value }, after],
  ])('%s', async (_name, knobs, seen) => {
    const own = takesTime === true ? await startTestSandbox() : house;
    if (own !== house) onTestFinished(() => own.sandbox.close());
    own.sandbox.knobs.turn(knobs);
    const answer = await look(own);
    if (isAnswer(answer)) expect(answer).toMatchObject(seen as object);
    else expect(answer).toEqual(seen);
  });
});

it('all of them can be turned over HTTP, and back', async () => {
  const first = await house.call('GET', '/_sandbox/knobs');
  let turned = first;
  for (const [name, { value }] of Object.entries(cases)) {
    const before = turned;
    turned = await house.call('PATCH', '/_sandbox/knobs', { [name]: value });
    expect(turned, name).toMatchObject({ status: 200, body: { knobs: { [name]: value } } });
    expect(turned, name).not.toEqual(before);
  }
  expect(await house.call('GET', '/_sandbox/knobs')).toEqual(turned);
  expect(await house.call('DELETE', '/_sandbox/knobs')).toEqual(first);
  expect(await house.call('GET', '/_sandbox/knobs')).toEqual(first);
});

it('there is a case for every knob, and a difference to be seen', () => {
  expect(Object.keys(cases).toSorted()).toEqual(
    describeKnobs()
      .map(({ name }) => name)
      .toSorted(),
  );
  for (const [name, { before, after }] of Object.entries(cases)) expect(before, name).not.toEqual(after);
});

function isAnswer(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'status' in value && 'body' in value;
}
