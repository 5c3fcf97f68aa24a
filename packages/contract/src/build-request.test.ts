import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { buildRequest, readRequest, type RequestResult } from './build-request.ts';
import { listFields, type Operation, type OperationInput } from './operation.ts';
import { listOperations, operations } from './operations.ts';
import { formatPath, formatProblem } from './problem.ts';

const uploadId = '3f0c6f5e-8a3d-4c1b-9d2e-7a6b5c4d3e2f';
const sessionId = '0d4b1c8a-5e6f-4a7b-8c9d-1e2f3a4b5c6d';
const secret = 'whsec_0123456789abcdef';

const dataChunk = {
  id: uploadId,
  uploadSessionId: sessionId,
  chunkTotal: 3,
  chunkNumber: 0,
  filename: 'планёрка.mp4',
  expectedFileSize: 7,
  file: Uint8Array.of(1, 2, 3, 4),
};

function listProblems(result: RequestResult): string[] {
  return result.ok
    ? []
    : result.problems.map((problem) => `${formatPath(problem.path)}: ${formatProblem(problem, '')}`);
}

/** As a caller does it who has the operation and the fields from elsewhere: the compiler knows neither. */
function buildUntyped(operation: Operation, input: Record<string, unknown>): RequestResult {
  return buildRequest(operation, input);
}

describe('a request on the wire', () => {
  it('recordings.start sends JSON, with the participants comma-separated', () => {
    expect(
      buildRequest(operations.recordings.start, {
        link: 'https://meet.example/abc-defg?x=1',
        source: 'gmeet',
        title: 'Продажи',
        localDateTime: '2026-07-07T12:00:00+03:00',
        cron: '0 9 * * 1-5',
        templateName: 'sales-meeting',
        participants: ['ann@example.com', 'bob@example.org'],
        webhookUrl: 'https://hooks.example/hooks/default',
        webhookSecret: secret,
      }),
    ).toStrictEqual({
      ok: true,
      method: 'POST',
      path: '/api/record-meeting',
      query: [],
      json: {
        link: 'https://meet.example/abc-defg?x=1',
        source: 'gmeet',
        title: 'Продажи',
        local_date_time: '2026-07-07T12:00:00+03:00',
        cron: '0 9 * * 1-5',
        template_name: 'sales-meeting',
        participants: 'ann@example.com,bob@example.org',
        webhook_url: 'https://hooks.example/hooks/default',
        webhook_secret: secret,
      },
    });
  });

  it('recordings.start sends a cron expression with single blanks', () => {
    const link = 'https://meet.example/a';
    expect(buildRequest(operations.recordings.start, { link, cron: '\t0  9 * *\t1' })).toMatchObject({
      json: { link, cron: '0 9 * * 1' },
    });
  });

  it('recordings.start needs the link only', () => {
    expect(
      buildRequest(operations.recordings.start, { link: 'https://meet.example/a', title: undefined }),
    ).toStrictEqual({
      ok: true,
      method: 'POST',
      path: '/api/record-meeting',
      query: [],
      json: { link: 'https://meet.example/a' },
    });
  });

  it('recordings.status and recordings.cancel name the meeting in the query', () => {
    expect(buildRequest(operations.recordings.status, { meetingId: 'm 1&x=2' })).toStrictEqual({
      ok: true,
      method: 'GET',
      path: '/api/meeting/status',
      query: [['meeting_id', 'm 1&x=2']],
    });
    expect(buildRequest(operations.recordings.cancel, { meetingId: 'm_1' })).toStrictEqual({
      ok: true,
      method: 'DELETE',
      path: '/api/record-meeting',
      query: [['meeting_id', 'm_1']],
    });
  });

  it('recordings.stop names the meeting in JSON', () => {
    expect(buildRequest(operations.recordings.stop, { meetingId: 'm_1' })).toStrictEqual({
      ok: true,
      method: 'POST',
      path: '/api/stop-recording',
      query: [],
      json: { meeting_id: 'm_1' },
    });
  });

  it('uploads.chunk sends a form whose numbers are text and whose bytes go under the file name', () => {
    const built = buildRequest(operations.uploads.chunk, {
      ...dataChunk,
      templateName: 'daily',
      title: 'T',
      webhookUrl: 'http://127.0.0.1:8080/hooks/x',
      expectedSha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      webhookSecret: secret,
      localTime: '2026-07-07T12:00:00+03:00',
      speakersNumber: 2,
    });
    expect(built).toStrictEqual({
      ok: true,
      method: 'POST',
      path: '/api/video',
      query: [],
      form: [
        { name: 'id', value: uploadId },
        { name: 'chunk_total', value: '3' },
        { name: 'chunk_number', value: '0' },
        { name: 'filename', value: 'планёрка.mp4' },
        { name: 'template_name', value: 'daily' },
        { name: 'title', value: 'T' },
        { name: 'upload_session_id', value: sessionId },
        { name: 'expected_file_size', value: '7' },
        { name: 'webhook_url', value: 'http://127.0.0.1:8080/hooks/x' },
        {
          name: 'expected_sha256',
          value: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
        },
        { name: 'webhook_secret', value: secret },
        { name: 'localTime', value: '2026-07-07T12:00:00+03:00' },
        { name: 'speakers_number', value: '2' },
        { name: 'file', bytes: Uint8Array.of(1, 2, 3, 4), filename: 'планёрка.mp4' },
      ],
    });
  });

  it('uploads.chunk hands the bytes on without copying them', () => {
    const built = buildRequest(operations.uploads.chunk, dataChunk);
    const part = built.ok ? built.form?.find((entry) => 'bytes' in entry) : undefined;
    expect(part !== undefined && 'bytes' in part && part.bytes === dataChunk.file).toBe(true);
  });

  it('uploads.chunk completes the upload with an empty part', () => {
    const built = buildRequest(operations.uploads.chunk, {
      ...dataChunk,
      chunkNumber: 2,
      file: new Uint8Array(0),
    });
    expect(built.ok && built.form?.at(-1)).toStrictEqual({
      name: 'file',
      bytes: new Uint8Array(0),
      filename: 'планёрка.mp4',
    });
  });

  it('reports.get, reports.generate and reports.editBlock', () => {
    expect(buildRequest(operations.reports.get, { meetingId: 'm_1' })).toStrictEqual({
      ok: true,
      method: 'GET',
      path: '/api/video/report',
      query: [['meeting_id', 'm_1']],
    });
    expect(
      buildRequest(operations.reports.generate, { meetingId: 'm_1', templateName: uploadId }),
    ).toStrictEqual({
      ok: true,
      method: 'POST',
      path: '/api/generate-new-template',
      query: [],
      json: { meeting_id: 'm_1', template_name: uploadId },
    });
    expect(
      buildRequest(operations.reports.editBlock, {
        meetingId: 'm/1',
        templateId: 't',
        entityName: 'summary',
        newSummaryText: '',
      }),
    ).toStrictEqual({
      ok: true,
      method: 'PUT',
      path: '/api/meeting/m%2F1/summary',
      query: [],
      json: { templateId: 't', entityName: 'summary', newSummaryText: '' },
    });
  });

  it('templates.list takes nothing', () => {
    expect(buildRequest(operations.templates.list, {})).toStrictEqual({
      ok: true,
      method: 'GET',
      path: '/api/v2/workspaces/active/custom-templates',
      query: [],
    });
  });

  it('exports.download writes booleans as true and false', () => {
    expect(
      buildRequest(operations.exports.download, {
        meetingId: 'm_1',
        format: 'docx',
        includeReport: true,
        includeTasks: false,
        templateName: 'daily',
        timezone: 'Asia/Kolkata',
      }),
    ).toStrictEqual({
      ok: true,
      method: 'GET',
      path: '/api/storage/download',
      query: [
        ['meeting_id', 'm_1'],
        ['format', 'docx'],
        ['include_report', 'true'],
        ['include_tasks', 'false'],
        ['template_name', 'daily'],
        ['timezone', 'Asia/Kolkata'],
      ],
    });
  });

  it('meetings.search writes lists comma-separated and numbers as digits', () => {
    expect(
      buildRequest(operations.meetings.search, {
        q: 'план, бюджет',
        tagIds: ['t1', 't2'],
        sources: ['gmeet', 'zoom'],
        dateFrom: '2026-02-28',
        dateTo: '2028-02-29',
        authors: ['Ann Lee'],
        scope: 'all',
        page: 0,
        perPage: 50,
      }),
    ).toStrictEqual({
      ok: true,
      method: 'GET',
      path: '/api/workspaces/active/meetings/search',
      query: [
        ['q', 'план, бюджет'],
        ['tagIds', 't1,t2'],
        ['sources', 'gmeet,zoom'],
        ['dateFrom', '2026-02-28'],
        ['dateTo', '2028-02-29'],
        ['authors', 'Ann Lee'],
        ['scope', 'all'],
        ['page', '0'],
        ['perPage', '50'],
      ],
    });
    expect(buildRequest(operations.meetings.search, {})).toMatchObject({ ok: true, query: [] });
    // How many fit on a page, and how many pages there are, is for the service to say.
    expect(
      buildRequest(operations.meetings.search, { page: 1_000_001, perPage: Number.MAX_SAFE_INTEGER }),
    ).toMatchObject({
      ok: true,
      query: [
        ['page', '1000001'],
        ['perPage', '9007199254740991'],
      ],
    });
  });

  it('tags.list, tags.create, tags.attach and tags.detach', () => {
    expect(buildRequest(operations.tags.list, { perPage: 100, cursor: 'c' })).toStrictEqual({
      ok: true,
      method: 'GET',
      path: '/api/workspaces/active/tags',
      query: [
        ['perPage', '100'],
        ['cursor', 'c'],
      ],
    });
    expect(buildRequest(operations.tags.list, { perPage: 101 })).toMatchObject({
      query: [['perPage', '101']],
    });
    expect(buildRequest(operations.tags.create, { name: 'Hot lead', color: 'red' })).toStrictEqual({
      ok: true,
      method: 'POST',
      path: '/api/workspaces/active/tags',
      query: [],
      json: { name: 'Hot lead', color: 'red' },
    });
    const path = '/api/workspaces/active/meetings/m_1/tags/t%20%C3%BC%3F%23';
    expect(buildRequest(operations.tags.attach, { meetingId: 'm_1', tagId: 't ü?#' })).toStrictEqual({
      ok: true,
      method: 'PUT',
      path,
      query: [],
    });
    expect(buildRequest(operations.tags.detach, { meetingId: 'm_1', tagId: 't ü?#' })).toStrictEqual({
      ok: true,
      method: 'DELETE',
      path,
      query: [],
    });
  });

  it('can be read back: every rule writes in one direction and reads in the other', () => {
    const ids = fc.stringMatching(/^[a-z0-9_-]{1,12}$/);
    const inputs = fc.record(
      {
        q: fc.string({ unit: 'grapheme', minLength: 1 }),
        tagIds: fc.array(ids, { minLength: 1, maxLength: 4 }),
        sources: fc.array(ids, { minLength: 1, maxLength: 4 }),
        page: fc.nat(1_000_000),
        perPage: fc.integer({ min: 1, max: 50 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(inputs, (input) => {
        const built = buildRequest(operations.meetings.search, input);
        if (!built.ok) throw new Error(listProblems(built).join());
        const received = new URLSearchParams([...built.query]);
        const read = readRequest(operations.meetings.search, Object.fromEntries(received));
        expect(read).toEqual({ ok: true, input });
      }),
    );
  });
});

describe('a refused input', () => {
  beforeEach(() => {
    vi.stubEnv('TZ', 'UTC');
  });

  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('names each field with the rule it breaks, and what was found: the value only where it is no secret', () => {
    const result = buildRequest(operations.recordings.start, {
      link: 'meet.example/private-room',
      source: '',
      localDateTime: '2026-07-07T12:00:00',
      cron: '0 9 * *',
      participants: ['ann@example.com', 'bob.example.org'],
      webhookUrl: 'ftp://hooks.example/x',
      webhookSecret: 'too-short-secret'.slice(1),
    });
    expect(listProblems(result)).toStrictEqual([
      'link: must be a web address that begins with http:// or https://; found text of length 25',
      'source: must be a platform identifier such as gmeet; found empty text',
      'localDateTime: must be an ISO 8601 date and time with a UTC offset: add +00:00; found "2026-07-07T12:00:00"',
      'cron: must be a cron expression of five fields such as 0 9 * * 1; found "0 9 * *"',
      'participants[1]: must be an e-mail address in ASCII, an internationalised domain in its xn-- form; found text of length 15',
      'webhookUrl: must be a web address that begins with http:// or https://; found text of length 21',
      'webhookSecret: must be 16 to 128 characters; found text of length 15',
    ]);
    expect(JSON.stringify(result)).not.toMatch(/private-room|bob|hooks\.example|short/);
  });

  it.each([
    ['2026-07-07T12:00', '+02:00'],
    ['2026-12-07 12:00:00', '+01:00'],
  ])('proposes the offset that %s has on this machine', (localDateTime, offset) => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    expect(
      listProblems(
        buildRequest(operations.recordings.start, { link: 'https://meet.example/a', localDateTime }),
      ),
    ).toStrictEqual([
      `localDateTime: must be an ISO 8601 date and time with a UTC offset: add ${offset}; found "${localDateTime}"`,
    ]);
  });

  it('asks for the address alone where a name stands before it, and repeats neither', () => {
    const result = buildRequest(operations.recordings.start, {
      link: 'https://meet.example/a',
      participants: ['Ann Example <ann@x.example>'],
    });
    expect(listProblems(result)).toStrictEqual([
      'participants[0]: must be an e-mail address alone: what stands between < and >, without the name; found text of length 27',
    ]);
  });

  it('shows no text that is long or holds control characters', () => {
    for (const timezone of ['Z'.repeat(61), 'a\u202Eb', 'a\nb']) {
      const result = buildRequest(operations.exports.download, { meetingId: 'm', format: 'pdf', timezone });
      expect(listProblems(result)).toStrictEqual([
        `timezone: must be an IANA time-zone name such as Europe/Berlin; found text of length ${timezone.length}`,
      ]);
    }
  });

  it('says what is missing', () => {
    // @ts-expect-error: the link is required
    expect(listProblems(buildRequest(operations.recordings.start, {}))).toStrictEqual([
      'link: is missing: must be a web address that begins with http:// or https://',
    ]);
    // @ts-expect-error: the tag is required
    expect(listProblems(buildRequest(operations.tags.attach, { meetingId: 'm' }))).toStrictEqual([
      'tagId: is missing: must be a tag id that is not empty',
    ]);
  });

  it('names unknown fields and the known ones', () => {
    // @ts-expect-error: a misspelt field
    expect(listProblems(buildRequest(operations.tags.create, { name: 'x', colour: 'red' }))).toStrictEqual([
      'colour: is not known; expected color? (one of name, color)',
    ]);
    const polluted: object = JSON.parse('{"name":"x","__proto__":{"color":"red"},"constructor":1}');
    // @ts-expect-error: read from outside
    expect(listProblems(buildRequest(operations.tags.create, polluted))).toStrictEqual([
      '__proto__: is not known; expected one of name, color',
      'constructor: is not known; expected one of name, color',
    ]);
  });

  it.each([null, undefined, 'x', 5, [], [{ name: 'x' }]])('is an input that is no object: %j', (input) => {
    // @ts-expect-error: a caller without types
    expect(buildRequest(operations.tags.create, input)).toStrictEqual({
      ok: false,
      problems: [{ path: [], code: 'invalid', expected: 'an object', received: expect.any(String) }],
    });
  });

  it.each([
    '.',
    '..',
    '../..',
    'a/../b',
    'a/.',
    '..\\..',
    '..%2f',
    '%2e%2e',
    '.%2E',
    'a%5C..',
    '..%252F..%252Fx',
    'a/%252e%252e',
  ])('walks up the path where a proxy decodes it: %j', (segment) => {
    expect(
      listProblems(buildRequest(operations.tags.detach, { meetingId: 'm', tagId: segment })),
    ).toStrictEqual(['tagId: must be a value that is not . or .. and does not hold them between slashes']);
    expect(
      listProblems(buildRequest(operations.tags.detach, { meetingId: segment, tagId: segment })),
    ).toHaveLength(2);
  });

  it.each(['a/b', 'a\\b', '%2F', '...', '.a', 'a..', 'a..b/c', '%2e%2ea', '?x=1', '#'])(
    'is not a segment such as %j: it stays one segment',
    (segment) => {
      const built = buildRequest(operations.tags.detach, { meetingId: segment, tagId: 't' });
      const path = built.ok ? built.path : '';
      const url = new URL(`https://service.example${path}`);
      expect(url.pathname).toBe(path);
      expect(url.search + url.hash).toBe('');
      expect(path.split('/')).toHaveLength(8);
      expect(decodeURIComponent(path.split('/')[5] ?? '')).toBe(segment);
    },
  );

  it('is half of a surrogate pair, in whatever place', () => {
    const rule = 'must be text without half of a surrogate pair; found text of length 3';
    expect(
      listProblems(buildRequest(operations.tags.attach, { meetingId: 'm\uD83D!', tagId: 't' })),
    ).toStrictEqual([`meetingId: ${rule}`]);
    expect(listProblems(buildRequest(operations.meetings.search, { q: 'm\uDED1!' }))).toStrictEqual([
      `q: ${rule}`,
    ]);
    expect(listProblems(buildRequest(operations.tags.create, { name: 'ab\uD83D' }))).toStrictEqual([
      `name: ${rule}`,
    ]);
  });

  it.each([
    [{ chunkNumber: 3 }, 'chunkNumber: must be smaller than the number of chunks; found the number 3'],
    [
      { chunkNumber: 4, file: new Uint8Array(0) },
      'chunkNumber: must be smaller than the number of chunks; found the number 4',
    ],
    [{ chunkNumber: -1 }, 'chunkNumber: must be a whole number from 0 to 3221225472; found the number -1'],
    [{ chunkTotal: 1 }, 'chunkTotal: must be a whole number from 2 to 3221225473; found the number 1'],
    [{ chunkTotal: 2.5 }, 'chunkTotal: must be a whole number from 2 to 3221225473; found the number 2.5'],
    [
      { expectedFileSize: 0 },
      'expectedFileSize: must be the size of a file that is not empty and at most 3 GB, in bytes: a whole number from 1 to 3221225472; found the number 0',
    ],
    [
      { expectedFileSize: 3_221_225_473 },
      'expectedFileSize: must be the size of a file that is not empty and at most 3 GB, in bytes: a whole number from 1 to 3221225472; found the number 3221225473',
    ],
    [
      { expectedFileSize: Number.NaN },
      'expectedFileSize: must be the size of a file that is not empty and at most 3 GB, in bytes: a whole number from 1 to 3221225472; found a number that is not finite',
    ],
    [
      { id: 'not-a-uuid' },
      'id: must be a UUID such as 3f0c6f5e-8a3d-4c1b-9d2e-7a6b5c4d3e2f; found "not-a-uuid"',
    ],
    [
      { filename: 'a\r\nb.mp4' },
      'filename: must be a file name without control characters; found text of length 8',
    ],
    [{ file: new Uint8Array(0) }, 'file: must be empty in the last chunk and in no other; found 0 bytes'],
    [{ chunkNumber: 2 }, 'file: must be empty in the last chunk and in no other; found 4 bytes'],
    [
      { file: new Uint8Array(20 * 1024 * 1024 + 1) },
      'file: must be at most 20971520 bytes (20 MiB); found 20971521 bytes',
    ],
    [
      { expectedSha256: 'E3B0' },
      'expectedSha256: must be a SHA-256 of 64 lowercase hex digits; found text of length 4',
    ],
    [{ speakersNumber: 0 }, 'speakersNumber: must be a whole number of at least 1; found the number 0'],
  ])('is a chunk that breaks a rule (%#)', (change, problem) => {
    expect(listProblems(buildRequest(operations.uploads.chunk, { ...dataChunk, ...change }))).toStrictEqual([
      problem,
    ]);
  });

  it('is a chunk that is not bytes', () => {
    expect(listProblems(buildUntyped(operations.uploads.chunk, { ...dataChunk, file: 'abc' }))).toStrictEqual(
      ['file: must be bytes (Uint8Array or Buffer); found text of length 3'],
    );
    expect(
      listProblems(buildUntyped(operations.uploads.chunk, { ...dataChunk, file: undefined })),
    ).toStrictEqual(['file: is missing: must be bytes (Uint8Array or Buffer)']);
  });

  it('is a form read back whose fields break their own rules: the rules across fields keep silent', () => {
    const wire = {
      id: uploadId,
      upload_session_id: sessionId,
      chunk_total: '3',
      chunk_number: '0',
      filename: 'a.mp3',
      expected_file_size: '7',
      file: Uint8Array.of(1),
    };
    const readBack = (change: object): string[] => {
      const read = readRequest(operations.uploads.chunk, { ...wire, ...change });
      return read.ok ? [] : read.problems.map((problem) => formatProblem(problem));
    };
    expect(readBack({})).toStrictEqual([]);
    expect(readBack({ file: 'abc' })).toStrictEqual([
      'file must be bytes (Uint8Array or Buffer); found text of length 3',
    ]);
    expect(readBack({ chunk_total: '1', chunk_number: '1' })).toStrictEqual([
      'chunk_total must be a whole number from 2 to 3221225473; found "1"',
    ]);
    expect(readBack({ chunk_number: '3' })).toStrictEqual([
      'chunk_number must be smaller than the number of chunks; found "3"',
    ]);
  });

  it('is a chunk of exactly 20 MiB: no, that one passes', () => {
    expect(
      buildRequest(operations.uploads.chunk, { ...dataChunk, file: new Uint8Array(20 * 1024 * 1024) }).ok,
    ).toBe(true);
  });

  it.each([
    [{ format: 'exe' }, 'format: must be pdf, docx or md; found "exe"'],
    [{ format: 'PDF' }, 'format: must be pdf, docx or md; found "PDF"'],
    [
      { timezone: 'Mars/Olympus' },
      'timezone: must be an IANA time-zone name such as Europe/Berlin; found "Mars/Olympus"',
    ],
    [
      { timezone: '+03:00' },
      'timezone: must be an IANA time-zone name such as Europe/Berlin; found "+03:00"',
    ],
    [{ includeReport: 'true' }, 'includeReport: must be true or false; found "true"'],
    [{ includeTasks: 1 }, 'includeTasks: must be true or false; found the number 1'],
    [{ meetingId: 5 }, 'meetingId: must be a meeting id that is not empty; found the number 5'],
    [{ meetingId: null }, 'meetingId: must be a meeting id that is not empty; found null'],
    [{ meetingId: {} }, 'meetingId: must be a meeting id that is not empty; found an object'],
    [{ meetingId: true }, 'meetingId: must be a meeting id that is not empty; found a boolean'],
  ])('is an export with %j', (change, problem) => {
    expect(
      listProblems(buildUntyped(operations.exports.download, { meetingId: 'm', format: 'pdf', ...change })),
    ).toStrictEqual([problem]);
  });

  it.each([
    [
      { dateFrom: '2026-02-30' },
      'dateFrom: must be a day of the calendar such as 2026-07-07; found "2026-02-30"',
    ],
    [{ dateFrom: '2026-7-7' }, 'dateFrom: must be a date such as 2026-07-07; found "2026-7-7"'],
    [{ tagIds: [] }, 'tagIds: must be a list of tag ids, with at least one in it; found a list of 0'],
    [
      { tagIds: ['a,b'] },
      'tagIds[0]: must be text without commas and without blanks at its ends; found "a,b"',
    ],
    [{ tagIds: [' a'] }, 'tagIds[0]: must be text without commas and without blanks at its ends; found " a"'],
    // An empty item breaks two rules: the first one is told.
    [{ tagIds: [''] }, 'tagIds[0]: must be text that is not empty; found empty text'],
    [{ perPage: 0 }, 'perPage: must be a whole number of at least 1; found the number 0'],
    [{ perPage: 1.5 }, 'perPage: must be a whole number of at least 1; found the number 1.5'],
    [{ page: -1 }, 'page: must be a whole number of at least 0; found the number -1'],
    [{ page: 2 ** 53 }, 'page: must be a whole number of at least 0; found the number 9007199254740992'],
  ])('is a search with %j', (change, problem) => {
    expect(listProblems(buildRequest(operations.meetings.search, change))).toStrictEqual([problem]);
  });

  it.each(['0 9 31 2 *', '0 0 30 2 *', '0 0 31 4,6 *'])(
    'is a cron expression that never fires: %j',
    (cron) => {
      const link = 'https://meet.example/a';
      expect(listProblems(buildRequest(operations.recordings.start, { link, cron }))).toStrictEqual([
        'cron: must be a cron expression that can fire: none of its months has any of its days; found "' +
          `${cron}"`,
      ]);
    },
  );

  it.each([15, 129])('is a secret of %d characters; 16 and 128 pass', (length) => {
    const link = 'https://meet.example/a';
    expect(
      listProblems(buildRequest(operations.recordings.start, { link, webhookSecret: 's'.repeat(length) })),
    ).toStrictEqual([`webhookSecret: must be 16 to 128 characters; found text of length ${length}`]);
    for (const allowed of [16, 128]) {
      expect(buildRequest(operations.recordings.start, { link, webhookSecret: 's'.repeat(allowed) }).ok).toBe(
        true,
      );
    }
  });

  it('never becomes an exception, whatever the fields hold', () => {
    const names = listOperations().flatMap((operation) => listFields(operation).map(({ name }) => name));
    const inputs = fc.dictionary(fc.oneof(fc.constantFrom(...new Set(names)), fc.string()), fc.anything(), {
      maxKeys: 8,
    });
    fc.assert(
      fc.property(fc.constantFrom(...listOperations()), inputs, (operation, input) => {
        const result = buildRequest(operation, input);
        expect(result.ok || result.problems.length > 0).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the types of an input', () => {
  it('are one flat object, checked by the compiler', () => {
    const edit: OperationInput<typeof operations.reports.editBlock> = {
      meetingId: 'm',
      templateId: 't',
      entityName: 'summary',
      newSummaryText: 'x',
    };
    const link = 'https://x.example';
    // @ts-expect-error: a list, not comma-separated text
    const start: OperationInput<typeof operations.recordings.start> = { link, participants: 'a@b.example' };
    // @ts-expect-error: no such format
    const download: OperationInput<typeof operations.exports.download> = { meetingId: 'm', format: 'exe' };
    // @ts-expect-error: no such operation
    expect(operations.tags.rename).toBeUndefined();
    expect([edit, start, download].map((input) => typeof input)).toStrictEqual([
      'object',
      'object',
      'object',
    ]);
  });
});
