import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { DownloadProgress } from '../client.ts';
import { createClient } from '../create-client.ts';
import type { Connection } from '../http.ts';
import type { ExportInput } from '../inputs.ts';
import { catchFault } from '../testing/catch-fault.ts';
import { createFakeTime } from '../testing/fake-time.ts';
import { makeConnection, TEST_KEY } from '../testing/make-connection.ts';
import { type AnswerRequest, createTestServers } from '../testing/start-servers.ts';

const servers = createTestServers();
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'exports-'));
});
afterEach(async () => {
  await servers.stopAll();
  await rm(folder, { recursive: true });
});

const pdf: ExportInput = { meetingId: 'm1', format: 'pdf' };

async function exportsOf(answer: AnswerRequest, changes: Partial<Connection> = {}) {
  return createClient(makeConnection(await servers.start(answer), changes)).exports;
}

const sendFile =
  (content: string | Uint8Array, headers: Record<string, string> = {}): AnswerRequest =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/pdf', ...headers }).end(content);
  };

/** A file of which the server sends only a part, then does something bad. */
const sendPart =
  (act: (response: ServerResponse) => void): AnswerRequest =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': '100' });
    response.write('%PDF', () => setTimeout(() => act(response), 5));
  };

describe('exports.download', () => {
  it('asks for the format, uncompressed, with all options', async () => {
    const seen: unknown[] = [];
    const exports = await exportsOf((request, response) => {
      const { accept, 'accept-encoding': encoding, 'x-api-key': key } = request.headers;
      seen.push(request.url, accept, encoding, key);
      sendFile('PK34')(request, response);
    });
    const input: ExportInput = {
      meetingId: 'm 1',
      format: 'docx',
      includeReport: true,
      includeTasks: false,
      templateName: 'team-sync',
      timezone: 'Europe/Berlin',
    };
    const path = join(folder, 'x.docx');
    expect(await exports.download(input, path)).toEqual({ path, bytes: 4 });
    expect(seen).toEqual([
      '/api/storage/download?meeting_id=m+1&format=docx&include_report=true&include_tasks=false&template_name=team-sync&timezone=Europe%2FBerlin',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document, application/octet-stream;q=0.8, */*;q=0.1',
      'identity',
      TEST_KEY,
    ]);
  });

  it('saves every byte, and tells the progress', async () => {
    const content = Buffer.concat([Buffer.from('%PDF'), randomBytes(2_999_996)]);
    const exports = await exportsOf(sendFile(content, { 'content-length': '3000000' }));
    const path = join(folder, 'a.pdf');
    const progress: DownloadProgress[] = [];
    const saved = await exports.download(pdf, path, { onProgress: (at) => progress.push(at) });
    expect(saved).toEqual({ path, bytes: 3_000_000 });
    expect((await readFile(path)).equals(content)).toBe(true);
    expect(progress.at(-1)).toEqual({ receivedBytes: 3_000_000, totalBytes: 3_000_000 });
    expect(progress.length).toBeGreaterThan(3);
    expect(await readdir(folder)).toEqual(['a.pdf']);
  });

  it.runIf(process.platform !== 'win32')(
    'lets its owner alone read the file, unless the caller says otherwise',
    async () => {
      const exports = await exportsOf(sendFile('%PDF'));
      const path = join(folder, 'a.pdf');
      const rights = async (): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);
      const umask = process.umask(0o022);
      try {
        await exports.download(pdf, path);
        expect(await rights()).toBe('600');
        await exports.download(pdf, path, { overwrite: true, mode: 0o664 });
        expect(await rights()).toBe('664');
        await exports.download(pdf, path, { overwrite: true });
        expect(await rights()).toBe('600');
      } finally {
        process.umask(umask);
      }
    },
  );

  it('puts a file with a safe name into a folder', async () => {
    const disposition = { 'content-disposition': 'attachment; filename="../../Weekly sync.pdf"' };
    const exports = await exportsOf(sendFile('%PDF', disposition));
    const path = join(folder, 'Weekly sync.pdf');
    expect(await exports.download(pdf, folder)).toEqual({ path, bytes: 4 });
    expect(await catchFault(exports.download(pdf, `${folder}/`))).toMatchObject({ code: 'conflict' });
    expect(await exports.download(pdf, folder, { overwrite: true })).toEqual({ path, bytes: 4 });
    expect(await readdir(folder)).toEqual(['Weekly sync.pdf']);
  });

  it('refuses a target before it asks for anything', async () => {
    let asked = 0;
    const exports = await exportsOf((request, response) => {
      asked += 1;
      sendFile('%PDF')(request, response);
    });
    const path = join(folder, 'a.pdf');
    await writeFile(path, 'old');
    await symlink(join(folder, 'nowhere'), join(folder, 'dangling'));
    expect(await catchFault(exports.download(pdf, path))).toMatchObject({ code: 'conflict' });
    expect(await catchFault(exports.download(pdf, join(folder, 'dangling')))).toMatchObject({
      code: 'conflict',
    });
    const bad = ['', `${folder}/none/`, join(path, 'x.pdf'), `${folder}/a\u0000b`];
    for (const target of bad) {
      const error = await catchFault(exports.download(pdf, target));
      expect(error).toMatchObject({ code: 'bad_request', status: undefined });
      expect(error.message).not.toContain(folder);
    }
    // @ts-expect-error -- what JavaScript callers may hand over
    const format = await catchFault(exports.download({ meeting_id: 'm', format: 'odt' }, path));
    expect(format.message).toContain('format must be pdf, docx or md');
    expect(asked).toBe(0);
    expect(await readFile(path, 'utf8')).toBe('old');
    // A folder that is not there is seen when the file is written.
    expect(await catchFault(exports.download(pdf, join(folder, 'none', 'a.pdf')))).toMatchObject({
      code: 'bad_request',
      detail: 'the path cannot be written (ENOENT)',
    });
  });

  it('replaces nothing but files, also when it may overwrite', async () => {
    // A socket of the test's own: a check that fails must not cost the machine a device.
    const path = join(folder, 'socket');
    const socket = createServer();
    await new Promise<void>((resolve) => void socket.listen(path, resolve));
    const exports = await exportsOf(sendFile('%PDF'));
    const error = await catchFault(exports.download(pdf, path, { overwrite: true }));
    expect(error).toMatchObject({
      code: 'bad_request',
      detail: 'the path is that of something other than a file',
    });
    expect((await stat(path)).isSocket()).toBe(true);
    socket.close();
  });

  it('replaces a file only when told to, and of a link the link alone', async () => {
    const exports = await exportsOf(sendFile('%PDF'));
    await writeFile(join(folder, 'other'), 'untouched');
    await symlink(join(folder, 'other'), join(folder, 'a.pdf'));
    await exports.download(pdf, join(folder, 'a.pdf'), { overwrite: true });
    expect(await readFile(join(folder, 'a.pdf'), 'utf8')).toBe('%PDF');
    expect(await readFile(join(folder, 'other'), 'utf8')).toBe('untouched');
  });

  it('does not replace a file that appears while it loads', async () => {
    const path = join(folder, 'a.pdf');
    const exports = await exportsOf(
      sendPart((response) => {
        void writeFile(path, 'faster').then(() => response.end('x'.repeat(96)));
      }),
    );
    expect(await catchFault(exports.download(pdf, path))).toMatchObject({ code: 'conflict' });
    expect(await readFile(path, 'utf8')).toBe('faster');
    expect(await readdir(folder)).toEqual(['a.pdf']);
  });

  it.each<[string, (response: ServerResponse, controller: AbortController) => void, string]>([
    ['breaks off', (response) => response.destroy(), 'connection'],
    ['falls silent', () => {}, 'timeout'],
    ['is aborted', (_response, controller) => controller.abort(), 'aborted'],
  ])('leaves nothing behind when the file %s', async (_name, act, code) => {
    const controller = new AbortController();
    const { signal } = controller;
    const answer = sendPart((response) => act(response, controller));
    const exports = await exportsOf(answer, { timeoutMs: code === 'timeout' ? 80 : 5000 });
    const error = await catchFault(exports.download(pdf, join(folder, 'a.pdf'), { signal }));
    expect(error).toMatchObject({ code, retryable: code !== 'aborted' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('notices a length that is not kept, also where the transport does not', async () => {
    const headers = { 'content-length': '100' };
    const exports = createClient(
      makeConnection('http://127.0.0.1:9', {
        fetch: () => Promise.resolve(new Response('%PDF only', { headers })),
      }),
    ).exports;
    const error = await catchFault(exports.download(pdf, join(folder, 'a.pdf')));
    expect(error).toMatchObject({
      code: 'connection',
      detail: 'the file broke off after 9 of 100 bytes',
      retryable: true,
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it('begins anew after a fault, as often as retries are left', async () => {
    let asked = 0;
    const time = createFakeTime();
    const received: number[] = [];
    const exports = await exportsOf(
      (request, response) => {
        asked += 1;
        if (asked === 1) response.writeHead(503).end();
        else if (asked === 2) sendPart((part) => part.destroy())(request, response);
        else sendFile('%PDF whole')(request, response);
      },
      { ...time, retries: 2 },
    );
    const path = join(folder, 'a.pdf');
    const onProgress = (at: DownloadProgress): void => void received.push(at.receivedBytes);
    expect(await exports.download(pdf, path, { onProgress })).toEqual({ path, bytes: 10 });
    expect(await readFile(path, 'utf8')).toBe('%PDF whole');
    expect(received).toEqual([4, 10]);
    expect(time.waits).toEqual([500, 1000]);
  });

  it.each<[string, AnswerRequest, Record<string, unknown>]>([
    [
      'a message in JSON',
      sendFile('{"message":"no minutes left"}', {
        'content-type': 'application/problem+json; charset=utf-8',
      }),
      { status: 200, detail: 'the answer is not a file: no minutes left' },
    ],
    [
      'a page',
      sendFile('<html>maintenance</html>', { 'content-type': 'Text/HTML' }),
      { status: 200, detail: 'the answer is not a file' },
    ],
    ['nothing', sendFile(''), { status: 200, detail: 'the file is empty' }],
    ['no content', (_request, response) => void response.writeHead(204).end(), { status: 204 }],
  ])('takes %s for unreadable', async (_name, answer, facts) => {
    const exports = await exportsOf(answer);
    const error = await catchFault(exports.download(pdf, join(folder, 'a.pdf')));
    expect(error).toMatchObject({ code: 'unreadable', retryable: false, ...facts });
    expect(await readdir(folder)).toEqual([]);
  });

  it('says in the service’s words that there is no file yet', async () => {
    for (const said of ['Meeting is in progress now, status: recording', '<html>', '']) {
      const exports = await exportsOf(
        (_request, response) => void response.writeHead(202, { 'retry-after': '7' }).end(said),
      );
      const error = await catchFault(exports.download(pdf, join(folder, 'a.pdf')));
      expect(error).toMatchObject({
        code: 'not_ready',
        status: 202,
        detail: said.startsWith('M') ? said : 'there is no file yet',
        retryable: false,
        retryAfterMs: 7000,
      });
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['pdf', '<html>maintenance</html>', 'application/pdf'],
    ['pdf', '%PD', 'application/pdf'],
    ['docx', '<!DOCTYPE html>', ''],
    ['md', '\n\n  <!Doctype HTML><p>maintenance', 'text/markdown'],
  ] as const)('takes what is no %s for unreadable: %j of type %j', async (format, content, type) => {
    const exports = await exportsOf(sendFile(content, { 'content-type': type }));
    const error = await catchFault(exports.download({ ...pdf, format }, folder));
    expect(error).toMatchObject({ code: 'unreadable', status: 200, retryable: false });
    expect(error.detail).toBe(`the answer does not begin as a file of format ${format} does`);
    expect((await catchFault(exports.stream({ ...pdf, format }))).code).toBe('unreadable');
    expect(await readdir(folder)).toEqual([]);
  });

  it('names the file that is being written after the one it will be', async () => {
    const seen: string[] = [];
    const onProgress = (): void => void seen.push(...readdirSync(folder));
    const exports = await exportsOf(sendFile('%PDF'));
    for (const name of ['Weekly sync.pdf', `${'é'.repeat(120)}.pdf`]) {
      await exports.download(pdf, join(folder, name), { onProgress });
      await rm(join(folder, name));
    }
    const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
    expect(seen).toHaveLength(2);
    expect(seen[0]).toMatch(new RegExp(String.raw`^\.Weekly sync\.pdf\.${uuid}\.part$`));
    expect(seen[1]).toMatch(new RegExp(String.raw`^\.é{50}\.${uuid}\.part$`));
  });

  it('follows no redirect', async () => {
    let visits = 0;
    const elsewhere = await servers.start((_request, response) => {
      visits += 1;
      response.end('%PDF');
    });
    const exports = await exportsOf((_request, response) => {
      response.writeHead(302, { location: elsewhere }).end();
    });
    expect((await catchFault(exports.download(pdf, folder))).code).toBe('redirected');
    expect((await catchFault(exports.stream(pdf))).code).toBe('redirected');
    expect(visits).toBe(0);
  });

  it('leaves an error of the caller’s own function alone, and nothing behind', async () => {
    const exports = await exportsOf(sendFile('%PDF'));
    const onProgress = (): never => {
      throw new RangeError('mine');
    };
    await expect(exports.download(pdf, join(folder, 'a.pdf'), { onProgress })).rejects.toThrow('mine');
    expect(await readdir(folder)).toEqual([]);
  });

  it('writes into a folder that a link leads to', async () => {
    await mkdir(join(folder, 'real'));
    await symlink(join(folder, 'real'), join(folder, 'link'));
    const exports = await exportsOf(sendFile('%PDF'));
    expect(await exports.download(pdf, join(folder, 'link'))).toMatchObject({ bytes: 4 });
    expect(await readdir(join(folder, 'real'))).toEqual(['meeting-m1.pdf']);
  });
});

describe('exports.stream', () => {
  it('hands over the bytes and what the service says of them', async () => {
    const content = Buffer.concat([Buffer.from('%PDF'), randomBytes(999_996)]);
    const exports = await exportsOf(
      sendFile(content, { 'content-length': '1000000', 'content-disposition': 'inline; filename=a.pdf' }),
    );
    const { stream, ...facts } = await exports.stream(pdf);
    expect(facts).toEqual({ filename: 'a.pdf', contentType: 'application/pdf', totalBytes: 1_000_000 });
    expect((await buffer(stream)).equals(content)).toBe(true);
  });

  it('repeats until the first bytes are here, and not after', async () => {
    let asked = 0;
    const exports = await exportsOf(
      (_request, response) => {
        asked += 1;
        if (asked === 1) response.destroy();
        else sendPart((part) => part.destroy())(_request, response);
      },
      { ...createFakeTime(), retries: 3 },
    );
    const { stream, totalBytes } = await exports.stream(pdf);
    expect(totalBytes).toBe(100);
    expect(await catchFault(buffer(stream))).toMatchObject({ code: 'connection' });
    expect(asked).toBe(2);
  });

  it('gives its connection up when it is destroyed, or aborted whether anybody reads it or not', async () => {
    const sockets = new Set<unknown>();
    const exports = await exportsOf((request, response) => {
      sockets.add(request.socket);
      request.socket.on('close', () => sockets.delete(request.socket));
      sendPart(() => {})(request, response);
    });
    const controller = new AbortController();
    const { signal } = controller;
    const destroyed = await exports.stream(pdf);
    const read = await exports.stream(pdf, { signal });
    const unread = await exports.stream(pdf, { signal });
    expect(sockets.size).toBe(3);
    destroyed.stream.destroy();
    setTimeout(() => controller.abort(), 5);
    expect(await catchFault(buffer(read.stream))).toMatchObject({ code: 'aborted' });
    await expect.poll(() => sockets.size).toBe(0);
    // Nobody listened for an error, and nobody was to be ended by one.
    expect(unread.stream.errored).toBeNull();
  });

  it('lets no time run while the reader takes its own', async () => {
    const pieces = ['%PDF', ' whole'];
    const body = new ReadableStream({
      pull(controller) {
        const piece = pieces.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(Buffer.from(piece));
      },
    });
    const exports = createClient(
      makeConnection('http://127.0.0.1:9', { timeoutMs: 30, fetch: async () => new Response(body) }),
    ).exports;
    const { stream } = await exports.stream(pdf);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await text(stream)).toBe('%PDF whole');
  });
});
