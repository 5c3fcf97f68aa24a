import type { Sandbox } from '@aftermeet/sandbox';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';

import { nameFile, nameUuid } from '../../../nodes/nodes/Aftermeet/actions/upload.ts';
import { catchFault } from './support/catch-fault.ts';
import { createFileContext, type FileContextOptions } from './support/file-context.ts';
import { findOperation } from './support/find-operation.ts';
import { openSandbox } from './support/serve.ts';

// Chunks, their order, their repetition and what leaves a doubt are tested with the client, whose uploads these are.

const { execute } = findOperation('upload', 'upload');

const CONTENT = Buffer.from('0123456789'.repeat(250));
const CONTENT_SHA256 = 'c3ba3a1306382773bfd3f4fc47c1336fa02899eed22d579e28fe8c923e3ae392';

interface SeenForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly content: Buffer;
}

async function readForm(form: Buffer, boundary: string): Promise<SeenForm> {
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const data = await new Response(new Uint8Array(form), { headers }).formData();
  const entries = [...data.entries()];
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const file = data.get('file');
  if (!(file instanceof File)) throw new Error('there is no file');
  return {
    fields: { ...Object.fromEntries(texts), 'name of the file': file.name },
    content: Buffer.from(await file.arrayBuffer()),
  };
}

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
    ['folder/', 'recording'],
    ['..', 'recording'],
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
    ({ sandbox, url: baseUrl } = await openSandbox());
  });

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

  /** What comes of a file that n8n describes with these facts. */
  async function fail(changes: Partial<FileContextOptions>, stored: () => AsyncIterable<unknown>) {
    const parameters = { binaryPropertyName: 'data' };
    const binary = { id: 'stored:1', fileName: 'call.mp4', bytes: CONTENT.length, data: '' };
    const { context, requests } = createFileContext({ baseUrl, parameters, binary, ...changes });
    let opened = 0;
    let closed = 0;
    Object.assign(context.helpers, {
      async getBinaryStream() {
        opened += 1;
        return Object.assign(stored(), { destroy: () => void (closed += 1) });
      },
    });
    const error = await catchFault(execute(context, 0));
    return { error, opened, closed: closed > 0, requests };
  }

  async function* give(...pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
    yield* pieces;
  }

  it.each([
    ['ended after 2400 bytes of the 2500', 2400],
    ['is longer than the 2500 bytes', 2501],
  ])('is never completed when the file %s', async (words, length) => {
    const { error, closed } = await fail({}, () => give(Buffer.alloc(length, 1)));
    expect(error.code).toBe('file_system');
    expect(error.message).toContain(`the binary file ${words}`);
    expect(error.message).toContain('the upload was not completed');
    expect(closed).toBe(true);
    expect(sandbox.uploads().map(({ meeting_id: id }) => id)).not.toContainEqual(expect.any(String));
  });

  const stored = { id: 'stored:1', fileName: 'call.mp4', data: '' };

  it.each<[string, Partial<FileContextOptions>]>([
    ['the file is empty', { binary: { ...stored, bytes: 0 } }],
    ['the file is too large', { binary: { ...stored, bytes: 3 * 1024 ** 3 + 1 } }],
    ['n8n does not know the size of the binary file', { binary: stored }],
    ['speakersNumber must be', { parameters: { binaryPropertyName: 'data', 'options.speakersNumber': 0 } }],
    ['filename must be', { parameters: { binaryPropertyName: 'data', 'options.fileName': true } }],
    [
      'localTime must be',
      { parameters: { binaryPropertyName: 'data', 'options.localTime': { dateTime: '2030-01-01' } } },
    ],
    [
      'Webhook URL needs a Webhook Secret in the credential',
      { parameters: { binaryPropertyName: 'data', 'options.webhookUrl': 'https://n8n.example.com/a' } },
    ],
  ])('is refused before anything is read: %s', async (words, changes) => {
    const { error, opened, requests } = await fail(changes, () => give(CONTENT));
    expect(error.message).toContain(words);
    expect(error.unsent).toBe(true);
    expect([opened, requests.length]).toEqual([0, 0]);
  });

  it('says that its source cannot be read, without the path', async () => {
    const fault = Object.assign(new Error("EIO: read '/home/node/secret'"), { code: 'EIO' });
    // oxlint-disable-next-line require-yield
    const { error } = await fail({}, async function* () {
      throw fault;
    });
    expect(error.detail).toBe('the binary file failed: EIO: the upload was not completed');
  });

  it('sends a chunk again, the same bytes, and is one meeting', async () => {
    sandbox.faults.add({ kind: 'status', status: 503, retry_after_seconds: 0, times: 1 });
    const { items, forms } = await upload();
    expect(items[0]?.json).toMatchObject({ duplicate: false, chunks: 1 });
    const [first, second, ...rest] = await forms();
    expect(first).toEqual(second);
    expect(rest).toHaveLength(1);
  });

  it('ends when the execution is cancelled, and closes the file', async () => {
    const cancel = new AbortController();
    const { error, closed } = await fail({ signal: cancel.signal }, async function* () {
      cancel.abort();
      yield CONTENT;
    });
    expect(error.code).toBe('aborted');
    expect(closed).toBe(true);
  });

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

  it.each<[string, () => unknown]>([
    ['__proto__', () => Object.prototype],
    ['constructor', () => Object],
    ['toString', () => () => 'a function'],
    ['json', () => ({ title: 'no file' })],
    ['nothing', () => undefined],
    [
      'x'.repeat(150),
      () => {
        throw new Error('n8n finds no such field');
      },
    ],
  ])('is refused where %s is no binary file', async (name, assertBinaryData) => {
    const { context, requests } = createFileContext({ baseUrl, parameters: { binaryPropertyName: name } });
    Object.assign(context.helpers, { assertBinaryData });
    expect(await catchFault(execute(context, 0))).toMatchObject({
      code: 'bad_request',
      detail: `the item has no binary file in the input data field ${name.slice(0, 100)}`,
      unsent: true,
    });
    expect(requests).toEqual([]);
  });
});
