import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { downloadFile } from '../../../nodes/nodes/Aftermeet/actions/export.ts';
import { limitRequests } from '../../../nodes/nodes/Aftermeet/transport/connect.ts';
import { isFileStream } from '../../../nodes/nodes/Aftermeet/transport/streams.ts';
import { catchFault } from './support/catch-fault.ts';
import { createFileContext, type FileContextOptions } from './support/file-context.ts';
import { findOperation } from './support/find-operation.ts';
import { serve, shareSandbox } from './support/serve.ts';

const { execute } = findOperation('export', 'download');

// Waits between tries are a share of this.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

type Answer = (response: ServerResponse) => unknown;

/** Answers each request in its order; the last answer is given again. */
async function openService(...answers: readonly Answer[]): Promise<{ url: string; count: () => number }> {
  let count = 0;
  const url = await serve((_request, response) => {
    const answer = answers[Math.min(count, answers.length - 1)];
    count += 1;
    answer?.(response);
  });
  return { url, count: () => count };
}

function say(status: number, body: string | Buffer, headers: Record<string, string> = {}): Answer {
  return (response) => void response.writeHead(status, headers).end(body);
}

function download(baseUrl: string, parameters: object = {}, changes: Partial<FileContextOptions> = {}) {
  const given = createFileContext({
    baseUrl,
    parameters: { meetingId: 'm_1', format: 'pdf', binaryPropertyName: 'data', ...parameters },
    ...changes,
  });
  return { ...given, work: execute(given.context, 0) };
}

describe('a download from the sandbox', () => {
  const shared = shareSandbox();

  it.each([
    ['pdf', '%PDF', 'application/pdf'],
    ['docx', 'PK', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['md', '#', 'text/markdown'],
  ])('stores %s as it came', async (format, start, mimeType) => {
    const { meetingId } = shared;
    const { work, stored } = download(shared.url, { meetingId, format, binaryPropertyName: 'report' });
    const [item] = await work;
    const [file] = stored;
    expect(file?.bytes.subarray(0, start.length).toString()).toBe(start);
    expect(file?.filename).toMatch(new RegExp(`^[^/\\\\]+\\.${format}$`));
    expect(item?.json).toEqual({
      meeting_id: meetingId,
      format,
      file_name: file?.filename,
      bytes: file?.bytes.length,
      mime_type: mimeType,
    });
    expect(Object.keys(item?.binary ?? {})).toEqual(['report']);
  });
});

describe('the request', () => {
  it('asks for what was chosen and nothing else', async () => {
    const { url } = await openService(say(200, '%PDF-1.7'));
    const templateName = { mode: 'id', value: 'team-sync' };
    const options = { includeTasks: false, timezone: 'Europe/Berlin' };
    const { work, requests } = download(url, { templateName, options });
    await work;
    expect(requests.map(({ method, url: asked }) => `${method} ${asked.replace(url, '')}`)).toEqual([
      'GET /api/storage/download?meeting_id=m_1&format=pdf&include_tasks=false&template_name=team-sync&timezone=Europe%2FBerlin',
    ]);
    expect(requests[0]?.headers).toMatchObject({ 'accept-encoding': 'identity' });
  });
});

describe('what is no file', () => {
  it('is not ready for 202, with what the service said', async () => {
    const said = 'Meeting is in progress now, status: processing';
    const { url, count } = await openService(say(202, said, { 'retry-after': '20' }));
    expect(await catchFault(download(url).work)).toMatchObject({
      code: 'not_ready',
      status: 202,
      detail: said,
      retryAfterMs: 20_000,
    });
    expect(count()).toBe(1);
  });

  it.each([
    ['json', 'the answer is not a file: gone', '{"message":"gone"}', 'application/json'],
    ['a page', 'the answer is not a file', '<html><title>Log in</title>', 'text/html'],
    [
      'a page that says it is one',
      'the answer does not begin as a file of format pdf does',
      '<html>',
      'application/pdf',
    ],
    ['the start of a file alone', 'the answer does not begin as a file of format pdf does', '%P', ''],
    ['nothing', 'the file is empty', '', 'application/pdf'],
  ])('is unreadable: %s', async (_name, detail, body, type) => {
    const { url, count } = await openService(say(200, body, type === '' ? {} : { 'content-type': type }));
    const given = download(url);
    expect(await catchFault(given.work)).toMatchObject({ code: 'unreadable', status: 200, detail });
    expect([count(), given.stored.length]).toEqual([1, 0]);
  });

  it.each([
    [401, 'unauthorized', 1],
    [404, 'not_found', 1],
    [503, 'server', 5],
  ])('is an error with the words of the service, without the key: %i', async (status, code, tries) => {
    const { url, count } = await openService(say(status, '{"message":"no, sandbox_key"}'));
    expect(await catchFault(download(url).work)).toMatchObject({ code, status, detail: 'no, [hidden]' });
    expect(count()).toBe(tries);
  });
});

describe('a transfer', () => {
  const file = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(300_000, 7)]);
  const breakOff: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': file.length });
    response.write(file.subarray(0, 100_000), () => response.destroy());
  };

  it('that breaks off is repeated, and stored once it was whole', async () => {
    const { url, count } = await openService(breakOff, breakOff, say(200, file));
    const { work, stored } = download(url);
    await work;
    expect(count()).toBe(3);
    expect(stored.map(({ bytes }) => bytes.equals(file))).toEqual([true]);
  });

  it('that always breaks off is an error of the connection', async () => {
    const { url, count } = await openService(breakOff);
    expect((await catchFault(download(url).work)).code).toBe('connection');
    expect(count()).toBe(5);
  });

  it('of which the storage lost a part is none', async () => {
    const { url } = await openService(say(200, file, { 'content-length': String(file.length) }));
    const store = async () => Buffer.alloc(10);
    const { code, detail } = await catchFault(download(url, {}, { store }).work);
    expect([code, detail]).toEqual(['connection', 'the file broke off after 10 of 300009 bytes']);
  });

  it('that n8n cannot store is told as n8n tells it, once', async () => {
    const { url, count } = await openService(say(200, file));
    const fault = new Error('The file is too large for the database');
    const store = async () => Promise.reject(fault);
    await expect(download(url, {}, { store }).work).rejects.toBe(fault);
    expect(count()).toBe(1);
  });

  it('that the disk of n8n has no room for is no fault of the service', async () => {
    const { url, count } = await openService(say(200, file));
    const fault = Object.assign(new Error('no room'), { code: 'ENOSPC' });
    const store = async (source: unknown) => {
      if (isFileStream(source)) source.destroy(fault);
      throw fault;
    };
    await expect(download(url, {}, { store }).work).rejects.toBe(fault);
    expect(count()).toBe(1);
  });

  it('ends with the execution', async () => {
    const cancel = new AbortController();
    const { url } = await openService((response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' });
      response.write('%PDF', () => cancel.abort());
    });
    expect((await catchFault(download(url, {}, { signal: cancel.signal }).work)).code).toBe('aborted');
  });

  it('that falls silent is given up', async () => {
    const { url } = await openService((response) => void response.writeHead(200).write('%PDF'));
    const { context } = createFileContext({ baseUrl: url, parameters: {} });
    limitRequests(context, { totalMs: 1000 });
    const work = downloadFile(context, { meetingId: 'm_1', format: 'pdf' }, { limitMs: 100 });
    const detail = 'no whole answer in 100 ms';
    expect(await catchFault(work)).toMatchObject({ code: 'timeout', detail, retryable: true });
  });

  it('is as it was sent, in whatever pieces it comes', async () => {
    const pieces = fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(pieces, async (given) => {
        const { url } = await openService((response) => {
          for (const piece of ['%', 'PDF', ...given]) response.write(piece);
          response.end();
        });
        const { work, stored } = download(url);
        await work;
        expect(stored[0]?.bytes).toEqual(Buffer.concat([Buffer.from('%PDF'), ...given]));
      }),
      { numRuns: 20 },
    );
  });
});

// One that unpacks without an end is played in n8n's engine.
describe('a file that is too large', () => {
  const maxBytes = 300_000;
  const detail = 'the file has more than the 300000 bytes that an export may have';

  async function store(url: string) {
    const { context, stored } = createFileContext({ baseUrl: url, parameters: {} });
    const limits = { limitMs: 60_000, maxBytes };
    return { work: downloadFile(context, { meetingId: 'm_1', format: 'md' }, limits), stored };
  }

  it('is given up when it never ends, and with it the connection', async () => {
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const { url, count } = await openService(async (response) => {
      response.on('close', end);
      while (!response.destroyed) {
        if (!response.write(Buffer.alloc(64 * 1024, '# '))) {
          await Promise.race([once(response, 'drain'), ended]);
        }
      }
    });
    const given = await store(url);
    expect(await catchFault(given.work)).toMatchObject({
      code: 'unreadable',
      status: 200,
      detail,
      retryable: false,
    });
    await ended;
    expect([count(), given.stored]).toEqual([1, []]);
  });

  it('is refused before it comes when its length says so', async () => {
    const length = String(1024 ** 3 + 1);
    const { url, count } = await openService((response) => {
      response.writeHead(200, { 'content-length': length }).write('%PDF-1.7');
    });
    const given = download(url);
    expect(await catchFault(given.work)).toMatchObject({
      code: 'unreadable',
      detail: 'the file has more than the 1073741824 bytes that an export may have',
    });
    expect([count(), given.stored]).toEqual([1, []]);
  });

  it.each([
    [maxBytes, maxBytes],
    [maxBytes + 1, undefined],
  ])('is one byte longer than the longest that is taken: %i', async (size, bytes) => {
    const { url } = await openService((response) => void response.end(Buffer.alloc(size, '# ')));
    const { work } = await store(url);
    expect((await work.catch(() => undefined))?.bytes).toBe(bytes);
  });
});

describe('the name of the file', () => {
  // How it is made safe is tested with the client.
  it.each([
    ['attachment; filename="../../etc/passwd"', 'passwd.pdf'],
    ['inline', 'meeting-m_1.pdf'],
  ])('comes out of %s', async (disposition, name) => {
    const { url } = await openService(say(200, '%PDF-1.7', { 'content-disposition': disposition }));
    const [item] = await download(url).work;
    expect(item?.json['file_name']).toBe(name);
  });
});

describe('a wrong parameter', () => {
  it.each([
    [{ format: 'odt' }, 'format must be pdf, docx or md; found "odt"'],
    [{ binaryPropertyName: '' }, 'the name of the field for the file is missing'],
    [{ binaryPropertyName: '__proto__' }, 'the field for the file cannot have the name __proto__'],
  ])('is refused before anything is sent: %j', async (parameters, detail) => {
    const given = download('http://127.0.0.1:9', parameters);
    expect(await catchFault(given.work)).toMatchObject({ code: 'bad_request', detail });
    expect(given.requests).toEqual([]);
  });
});
