import { createHash } from 'node:crypto';

import { AmbiguousWriteError, ServiceError, withRetries } from '@aftermeet/client/pure';
import { listFields, operations } from '@aftermeet/contract';
import { createSandbox, type Sandbox } from '@aftermeet/sandbox';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import {
  nameUuid,
  sendRecording,
  type UploadTransport,
} from '../../../nodes/nodes/Aftermeet/actions/send-upload.ts';
import { type Recording } from '../../../nodes/nodes/Aftermeet/actions/send-upload.ts';
import { nameFile } from '../../../nodes/nodes/Aftermeet/actions/upload.ts';
import type { WholeAnswer } from '../../../nodes/nodes/Aftermeet/transport/raw-request.ts';
import { createFileContext, type FileContextOptions } from './support/file-context.ts';
import { findOperation } from './support/find-operation.ts';

const { execute } = findOperation('upload', 'upload');

const CONTENT = Buffer.from('0123456789'.repeat(250));
const CONTENT_SHA256 = 'c3ba3a1306382773bfd3f4fc47c1336fa02899eed22d579e28fe8c923e3ae392';
const FIELDS = {
  id: '0f0e0d0c-0b0a-4908-8706-050403020100',
  upload_session_id: '1f0e0d0c-0b0a-4908-8706-050403020100',
  filename: 'call.mp4',
  title: 'Plan "Q3"',
  webhook_secret: 'sixteen-and-more',
};
const done = { status: 200, body: { meeting_id: 'm_1', user_id: 7 } };
const fine = { status: 200, body: { ok: true } };
const lost = new ServiceError({ code: 'connection', operation: 'test', detail: 'ECONNRESET' });

type Play = Partial<WholeAnswer> | ServiceError;

interface SeenForm {
  readonly names: readonly string[];
  readonly fields: Readonly<Record<string, string>>;
  readonly content: Buffer;
}

/** A service without a network: answers each request in turn, and what is not said with success. */
function openTransport(answers: readonly Play[] = [], changes: Partial<UploadTransport> = {}) {
  const seen: SeenForm[] = [];
  const waits: number[] = [];
  const boundary = 'test-boundary';
  const transport: UploadTransport = {
    async post(form) {
      const given = answers[seen.length];
      const one = await readForm(form, boundary);
      seen.push(one);
      if (given instanceof Error) throw given;
      const isFinal = one.fields['chunk_number'] === String(Number(one.fields['chunk_total']) - 1);
      return { ...(isFinal ? done : fine), retryAfter: null, contentType: null, ...given };
    },
    boundary,
    chunkBytes: 1000,
    repeat: (attempt) =>
      withRetries({ retries: 3, random: () => 0.5, wait: async (ms) => void waits.push(ms) }, attempt),
    clock: () => Date.parse('2026-07-07T12:00:00Z'),
    signal: undefined,
    redactions: ['sixteen-and-more'],
    ...changes,
  };
  return { transport, seen, waits };
}

async function readForm(form: Buffer, boundary: string): Promise<SeenForm> {
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const data = await new Response(new Uint8Array(form), { headers }).formData();
  const entries = [...data.entries()];
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const file = data.get('file');
  if (!(file instanceof File)) throw new Error('there is no file');
  return {
    names: entries.map(([name]) => name),
    fields: { ...Object.fromEntries(texts), 'name of the file': file.name },
    content: Buffer.from(await file.arrayBuffer()),
  };
}

function recordingOf(pieces: readonly Uint8Array[], size?: number) {
  const state = { opened: 0, closed: 0 };
  const recording: Recording = {
    size: size ?? pieces.reduce((sum, { length }) => sum + length, 0),
    filename: 'call.mp4',
    identity: 'stored:1',
    async open() {
      state.opened += 1;
      async function* give() {
        yield* pieces;
      }
      return { pieces: give(), close: () => void (state.closed += 1) };
    },
  };
  return { recording, state };
}

async function failureOf(work: Promise<unknown>): Promise<ServiceError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ServiceError) return error;
  throw new Error(`no ServiceError: ${String(error)}`);
}

const numbersOf = (seen: readonly SeenForm[]) => seen.map(({ fields }) => Number(fields['chunk_number']));

describe('a recording', () => {
  it('goes in data chunks and an empty last one, with the fields of the specification', async () => {
    const { transport, seen } = openTransport();
    const { recording, state } = recordingOf([CONTENT]);
    const outcome = await sendRecording(transport, recording, FIELDS);

    expect(outcome).toEqual({
      meeting: { meetingId: 'm_1', userId: '7' },
      duplicate: false,
      sha256: CONTENT_SHA256,
      sent: 3,
    });
    expect(seen.map(({ fields }) => fields)).toEqual(
      [0, 1, 2, 3].map((number) => ({
        ...FIELDS,
        chunk_number: String(number),
        chunk_total: '4',
        expected_file_size: '2500',
        'name of the file': 'call.mp4',
        ...(number === 3 ? { expected_sha256: CONTENT_SHA256 } : {}),
      })),
    );
    expect(seen.map(({ content }) => content.length)).toEqual([1000, 1000, 500, 0]);
    expect(state).toEqual({ opened: 1, closed: 1 });
  });

  it('has the parts of the form in the order of the contract, the file last', async () => {
    const { transport, seen } = openTransport();
    await sendRecording(transport, recordingOf([CONTENT]).recording, FIELDS);
    const order = listFields(operations.uploads.chunk).map(({ wire }) => wire);
    for (const { names } of seen) {
      expect(names).toEqual(order.filter((name) => names.includes(name)));
      expect(names.at(-1)).toBe('file');
    }
  });

  it('arrives as it was, however it is cut and stored', async () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(pieces, fc.integer({ min: 1, max: 64 }), async (given, chunkBytes) => {
        const content = Buffer.concat(given);
        fc.pre(content.length > 0);
        const { transport, seen } = openTransport([], { chunkBytes });
        const { sha256, sent } = await sendRecording(transport, recordingOf(given).recording, FIELDS);
        expect(Buffer.concat(seen.map((form) => form.content))).toEqual(content);
        expect(sha256).toBe(createHash('sha256').update(content).digest('hex'));
        expect(sent).toBe(Math.ceil(content.length / chunkBytes));
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['ended after 2400 of the 2500 bytes', 2400],
    ['is longer than the 2500 bytes', 2501],
  ])('is never completed when it %s', async (words, length) => {
    const { transport, seen } = openTransport();
    const content = Buffer.alloc(length, 1);
    const { recording, state } = recordingOf([content], 2500);
    const { code, message } = await failureOf(sendRecording(transport, recording, FIELDS));
    expect(code).toBe('file_system');
    expect(message).toContain(words);
    expect(numbersOf(seen)).not.toContain(3);
    expect(state.closed).toBe(1);
  });

  it.each([
    ['the file is empty', 0],
    ['the file is too large', 3 * 1024 ** 3 + 1],
  ])('is refused before anything is read: %s', async (words, size) => {
    const { transport, seen } = openTransport();
    const { recording, state } = recordingOf([], size);
    expect((await failureOf(sendRecording(transport, recording, FIELDS))).message).toContain(words);
    expect([seen.length, state.opened]).toEqual([0, 0]);
  });

  it('is refused before anything is read when a field breaks a rule', async () => {
    const { transport } = openTransport();
    const { recording, state } = recordingOf([CONTENT]);
    const { message } = await failureOf(
      sendRecording(transport, recording, { ...FIELDS, webhook_secret: 'short' }),
    );
    expect(message).toContain('webhook_secret must be 16 to 128 characters');
    expect(state.opened).toBe(0);
  });

  it('says that its source cannot be read, without the path', async () => {
    const { transport } = openTransport();
    const fault = Object.assign(new Error("EIO: read '/home/node/secret'"), { code: 'EIO' });
    const open = async () => ({
      // oxlint-disable-next-line require-yield
      pieces: (async function* () {
        throw fault;
      })(),
      close: () => {},
    });
    const recording = { ...recordingOf([CONTENT]).recording, open };
    const { detail } = await failureOf(sendRecording(transport, recording, FIELDS));
    expect(detail).toBe('n8n cannot read the binary file: EIO');
  });
});

describe('a chunk', () => {
  it.each([408, 425, 429, 500, 503])('is sent again, the same bytes, after %i', async (status) => {
    const { transport, seen, waits } = openTransport([{}, { status }, { status }]);
    await sendRecording(transport, recordingOf([CONTENT]).recording, FIELDS);
    expect(numbersOf(seen)).toEqual([0, 1, 1, 1, 2, 3]);
    expect(seen[1]).toEqual(seen[3]);
    expect(waits).toEqual([250, 500]);
  });

  it('is sent four times at most, and what the service said is in the error without secrets', async () => {
    const said = { status: 503, body: { message: 'busy, sixteen-and-more' } };
    const { transport, seen } = openTransport([said, said, said, said]);
    const { code, detail } = await failureOf(
      sendRecording(transport, recordingOf([CONTENT]).recording, FIELDS),
    );
    expect([code, detail, seen.length]).toEqual(['server', 'busy, [hidden]', 4]);
  });

  it.each([
    [401, 'unauthorized'],
    [402, 'payment_required'],
    [302, 'redirected'],
    [409, 'conflict'],
  ])('is not sent again after %i', async (status, code) => {
    const { transport, seen } = openTransport([{ status, body: 'no' }]);
    expect((await failureOf(sendRecording(transport, recordingOf([CONTENT]).recording, FIELDS))).code).toBe(
      code,
    );
    expect(seen.length).toBe(1);
  });

  it('is not there when a login page answers', async () => {
    const { transport } = openTransport([{ body: '<html><title>Log in</title>', contentType: 'text/html' }]);
    const { code } = await failureOf(sendRecording(transport, recordingOf([CONTENT]).recording, FIELDS));
    expect(code).toBe('unreadable');
  });

  it('ends the sending when the service knows the content: the rest is only hashed', async () => {
    const known = { status: 409, body: { error: { meeting_id: 'm_0' } } };
    const { transport, seen } = openTransport([{}, known]);
    const outcome = await sendRecording(transport, recordingOf([CONTENT]).recording, FIELDS);
    expect(outcome).toEqual({
      meeting: { meetingId: 'm_0' },
      duplicate: true,
      sha256: CONTENT_SHA256,
      sent: 2,
    });
    expect(numbersOf(seen)).toEqual([0, 1]);
  });

  it('ends the sending when the execution is cancelled', async () => {
    const cancel = new AbortController();
    const { transport, seen } = openTransport([], { signal: cancel.signal });
    const { recording, state } = recordingOf([CONTENT]);
    const post: UploadTransport['post'] = async (form, ms) => {
      cancel.abort();
      return transport.post(form, ms);
    };
    const { code } = await failureOf(sendRecording({ ...transport, post }, recording, FIELDS));
    expect([code, seen.length, state.closed]).toEqual(['aborted', 1, 1]);
  });
});

describe('the final request', () => {
  const chunks = [{}, {}, {}];
  const finish = (answers: readonly Play[]) => {
    const { transport, seen } = openTransport([...chunks, ...answers]);
    return { seen, work: sendRecording(transport, recordingOf([CONTENT]).recording, FIELDS) };
  };

  it('is repeated with the same ids, and a duplicate after a lost answer is the own meeting', async () => {
    const { work, seen } = finish([lost, { body: { meeting_id: 'm_1', duplicate: true } }]);
    expect(await work).toMatchObject({ meeting: { meetingId: 'm_1' }, duplicate: false });
    expect(seen[3]).toEqual(seen[4]);
  });

  it('names its user without a secret that the service echoes', async () => {
    const { work } = finish([{ body: { meeting_id: 'm_1', user_id: 'of sixteen-and-more' } }]);
    expect(await work).toMatchObject({ meeting: { meetingId: 'm_1', userId: 'of [hidden]' } });
  });

  it('tells a duplicate of a content that was there before', async () => {
    const { work } = finish([{ body: { data: { meeting_id: 'm_0', duplicate: true } } }]);
    expect(await work).toMatchObject({ meeting: { meetingId: 'm_0' }, duplicate: true });
  });

  it.each<[string, readonly Play[], string]>([
    ['names no meeting', [{ body: { ok: true } }], 'the answer names no meeting'],
    ['is lost every time', [lost, lost, lost, lost], 'ECONNRESET'],
    ['is refused after a lost answer', [lost, { status: 404 }], 'and this one was refused'],
    ['may not be sent any more', [lost, { status: 401 }], 'an earlier final request got no answer'],
  ])('leaves a doubt when it %s', async (_name, answers, words) => {
    const error = await failureOf(finish(answers).work);
    expect(error).toBeInstanceOf(AmbiguousWriteError);
    expect(error.message).toContain(words);
    expect(error.message).toContain('check with meetings.search');
  });

  it('is a plain refusal without a doubt', async () => {
    const { work, seen } = finish([{ status: 400, body: { message: 'FILE_HASH_MISMATCH' } }]);
    expect(await failureOf(work)).toMatchObject({ code: 'bad_request', detail: 'FILE_HASH_MISMATCH' });
    expect(seen.length).toBe(4);
  });
});

describe('the id of a recording', () => {
  it('is a UUID of version 5 that follows from what it is made of', () => {
    expect(nameUuid(['workflow-1', 'node-1', 'stored:1'])).toBe('585c8cd1-aebb-53e5-ba1f-335d3d36a1d9');
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (one, other) => {
        expect(nameUuid(one)).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
        expect(nameUuid(one) === nameUuid(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });
});

describe('the name under which a file is sent', () => {
  it.each([
    ['../../etc/passwd', 'passwd'],
    [String.raw`C:\x\y.mp4`, 'y.mp4'],
    [String.raw`\\host\share/a.mp3`, 'a.mp3'],
    ['Weekly: "sync" ü.mp4', 'Weekly: "sync" ü.mp4'],
    ['.hidden', '.hidden'],
    ['folder/', 'recording'],
    ['..', 'recording'],
    ['a/..', 'recording'],
    [' . ', 'recording'],
    ['', 'recording'],
    [undefined, 'recording'],
    [7, 7],
  ])('of %j is %j', (given, name) => {
    expect(nameFile(given)).toBe(name);
  });

  it('has no folders, whatever was given', () => {
    const parts = fc.constantFrom('..', '.', '/', '\\', 'a', ' ', 'b.mp4');
    fc.assert(
      fc.property(fc.array(parts), (given) => {
        expect(nameFile(given.join(''))).toMatch(/^(?!\s*\.{0,2}\s*$)[^/\\]+$/);
      }),
    );
  });
});

describe('the operation against the sandbox', () => {
  let sandbox: Sandbox;
  let baseUrl: string;

  beforeEach(async () => {
    sandbox = createSandbox({ seed: 7 });
    baseUrl = (await sandbox.listen()).url;
  });

  afterEach(() => sandbox.close());

  async function upload(changes: Partial<FileContextOptions> = {}) {
    const { context, requests } = createFileContext({
      baseUrl,
      parameters: {
        binaryPropertyName: 'data',
        'options.title': 'Weekly',
        'options.localTime': '2026-07-07T12:00:00',
      },
      binary: { id: 'stored:1', fileName: 'call.mp4', bytes: CONTENT.length, data: '' },
      content: CONTENT,
      ...changes,
    });
    const forms = async () =>
      Promise.all(
        requests.map(({ headers, body }) => {
          const [, boundary = ''] = /boundary=(.*)$/.exec(headers['content-type'] ?? '') ?? [];
          return readForm(Buffer.from(body instanceof Uint8Array ? body : []), boundary);
        }),
      );
    return { items: await execute(context, 0), forms };
  }

  it('makes a meeting, and again a duplicate of it under the same id in a new session', async () => {
    const first = await upload();
    const second = await upload();
    const meetingId = first.items[0]?.json['meeting_id'];
    expect(meetingId).toEqual(expect.any(String));
    const facts = { sha256: CONTENT_SHA256, bytes: 2500, chunks: 1, user_id: expect.any(String) };
    expect(first.items).toEqual([{ json: { ...facts, meeting_id: meetingId, duplicate: false } }]);
    expect(second.items).toEqual([{ json: { ...facts, meeting_id: meetingId, duplicate: true } }]);
    const [one] = await first.forms();
    const [other] = await second.forms();
    expect(one?.fields).toMatchObject({
      title: 'Weekly',
      filename: 'call.mp4',
      localTime: '2026-07-07T12:00:00+02:00',
    });
    expect(other?.fields['id']).toBe(one?.fields['id']);
    expect(other?.fields['upload_session_id']).not.toBe(one?.fields['upload_session_id']);
  });

  it.each<[string, Partial<FileContextOptions>]>([
    ['in memory', { binary: { data: 'x', fileName: 'call.mp4' } }],
    ['of which only the storage knows the size', { binary: { id: 'stored:1', data: '' }, fileSize: 2500 }],
    ['without a name', { binary: { id: 'stored:1', data: '', bytes: 2500 } }],
  ])('takes a file %s', async (_name, changes) => {
    const { items } = await upload(changes);
    expect(items[0]?.json).toMatchObject({ sha256: CONTENT_SHA256, bytes: 2500, duplicate: false });
  });

  it.each([
    [
      'of the file in n8n',
      { binary: { id: 'stored:1', data: '', bytes: 2500, fileName: '../../etc/passwd' } },
    ],
    ['that was typed', { parameters: { binaryPropertyName: 'data', 'options.fileName': 'C:\\etc\\passwd' } }],
  ])('sends the last part alone of the name %s', async (_name, changes) => {
    const [first] = await (await upload(changes)).forms();
    expect(first?.fields).toMatchObject({ filename: 'passwd', 'name of the file': 'passwd' });
  });

  it.each<[string, unknown]>([
    ['__proto__', Object.prototype],
    ['constructor', Object],
    ['toString', () => 'a function'],
    ['json', { title: 'no file' }],
    ['nothing', undefined],
  ])('is refused where %s is no binary file', async (name, found) => {
    const { context, requests } = createFileContext({ baseUrl, parameters: { binaryPropertyName: name } });
    Object.assign(context.helpers, { assertBinaryData: () => found });
    expect(await failureOf(execute(context, 0))).toMatchObject({
      code: 'bad_request',
      detail: `the item has no binary file in the input data field ${name}`,
      unsent: true,
    });
    expect(requests).toEqual([]);
  });

  it('is refused in our words where n8n finds no such field', async () => {
    const { context } = createFileContext({ baseUrl, parameters: { binaryPropertyName: 'x'.repeat(5000) } });
    const assertBinaryData = () => {
      throw new Error('none');
    };
    Object.assign(context.helpers, { assertBinaryData });
    const { detail } = await failureOf(execute(context, 0));
    expect(detail).toBe(`the item has no binary file in the input data field ${'x'.repeat(100)}`);
  });

  it('says what to do where the size is unknown', async () => {
    const changes = { binary: { id: 'stored:1', data: '' } };
    const { detail } = await failureOf(upload(changes));
    expect(detail).toContain('n8n does not know the size of the binary file');
  });
});
