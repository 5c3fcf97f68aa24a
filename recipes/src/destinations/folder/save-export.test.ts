import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ServiceError, type ServiceErrorCode } from '@aftermeet/client';
import { afterEach, beforeEach, expect, it } from 'vitest';

import type { PreparedSend } from '../../engine/prepared-send.ts';
import { takePrepared } from '../../testing/bring-to-end.ts';
import { useService } from '../../testing/use-service.ts';
import { classifyExportError, type FileOrder, deleteFile, openFolder } from './save-export.ts';

const service = useService();

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aftermeet-archive-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

function order(changes: Partial<FileOrder> = {}): FileOrder {
  return {
    input: { meetingId: service().meetingId, format: 'md' },
    folder,
    name: 'Weekly sync_m1.md',
    edition: 'a1',
    tags: [],
    mayCreateTags: false,
    ...changes,
  };
}

const label = { effectKey: 'e1', target: 'md#1' };

const reference = 'b79f0ddad61390e884b516ffd6c2281f';

async function ship(changes: Partial<FileOrder> = {}): Promise<PreparedSend> {
  return takePrepared(await openFolder(30_000, service().client).prepare(order(changes), label));
}

it('puts the file there, whole and alone', async () => {
  for (const format of ['pdf', 'docx', 'md'] as const) {
    const name = `sync.${format}`;
    const prepared = await ship({ name, input: { meetingId: service().meetingId, format } });
    expect(await prepared.send()).toMatchObject({
      result: 'sent',
      reference: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  }
  expect((await readdir(folder)).toSorted()).toEqual(['sync.docx', 'sync.md', 'sync.pdf']);
  expect((await readFile(join(folder, 'sync.pdf'))).subarray(0, 4).toString()).toBe('%PDF');
  expect(await readFile(join(folder, 'sync.md'), 'utf8')).toMatch(/^# /);
});

it.runIf(process.platform !== 'win32').each([
  [undefined, '600'],
  [0o640, '640'],
  [0o666, '666'],
])('gives the file the mode %o, also where it replaces one', async (mode, rights) => {
  const umask = process.umask(0o022);
  try {
    const file = join(folder, 'Weekly sync_m1.md');
    await writeFile(file, 'old');
    await chmod(file, 0o604);
    await (await ship(mode === undefined ? {} : { mode })).send();
    expect(((await stat(file)).mode & 0o7777).toString(8)).toBe(rights);
  } finally {
    process.umask(umask);
  }
});

it('finds the file of an attempt that was cut off, and none of an earlier report', async () => {
  const startMs = Date.now();
  const prepared = await ship();
  expect(await prepared.probe(startMs)).toEqual({ result: 'absent', contact: 'none' });
  const sent = await prepared.send();
  expect(sent).toEqual({ result: 'sent', reference });
  expect(await prepared.probe(startMs)).toEqual({ result: 'found', reference, contact: 'none' });
  await utimes(join(folder, 'Weekly sync_m1.md'), 1, 1);
  expect(await prepared.probe(startMs)).toEqual({ result: 'absent', contact: 'none' });
});

it('replaces the file under its old name, whatever the meeting is called now', async () => {
  await (await ship()).send();
  await writeFile(join(folder, 'Weekly sync_m1.md'), 'old');
  const renamed = await ship({ name: 'Monthly sync_m1.md' });
  expect(await renamed.update?.(reference)).toEqual({ result: 'sent', reference });
  expect(await readdir(folder)).toEqual(['Weekly sync_m1.md']);
  expect(await readFile(join(folder, 'Weekly sync_m1.md'), 'utf8')).toMatch(/^# /);
});

it('does not restore a deleted file', async () => {
  await (await ship()).send();
  await mkdir(join(folder, 'elsewhere'));
  await rename(join(folder, 'Weekly sync_m1.md'), join(folder, 'elsewhere', 'a.md'));
  expect(await (await ship()).update?.(reference)).toEqual({
    result: 'gone',
    cause: 'the file was moved or deleted; it is not written again',
    contact: 'none',
  });
  expect(await readdir(folder)).toEqual(['elsewhere']);
});

it('leaves nothing behind when the answer breaks off, and tries again', async () => {
  service().sandbox.faults.add({ kind: 'cut', on: 'exports.download' });
  const prepared = await ship();
  expect(await prepared.send()).toEqual({
    result: 'not_sent_retry',
    cause: 'the export cannot be fetched: connection',
    contact: 'silent',
  });
  expect(await readdir(folder)).toEqual([]);
  expect(await prepared.send()).toMatchObject({ result: 'sent' });
});

it('gives up an answer that takes too long', async () => {
  service().sandbox.faults.add({ kind: 'hang', on: 'exports.download' });
  const preparation = await openFolder(200, service().client).prepare(order(), label);
  const prepared = preparation.result === 'ready' ? preparation.prepared : undefined;
  expect(await prepared?.send()).toMatchObject({ result: 'not_sent_retry', contact: 'silent' });
});

it.each([
  [503, 'not_sent_retry', 'the export cannot be fetched: server (503)'],
  [
    401,
    'not_sent_retry',
    'the export cannot be fetched: unauthorized (401); the service refused the API key',
  ],
  [408, 'not_sent_retry', 'the export cannot be fetched: unexpected_status (408)'],
  [404, 'permanent', 'the export cannot be fetched: not_found (404)'],
  [429, 'rate_limited', 'the export cannot be fetched: rate_limited (429)'],
])('says what a %i of the service means', async (status, result, cause) => {
  service().sandbox.faults.add({ kind: 'status', status, on: 'exports.download' });
  expect(await (await ship()).send()).toMatchObject({ result, cause });
});

it('waits for a folder that is not there, and makes none', async () => {
  const prepared = await ship({ folder: join(folder, 'not', 'mounted') });
  expect(await prepared.send()).toEqual({
    result: 'not_sent_retry',
    cause: 'the file cannot be written: the folder is not there: make it, or mount its disk (ENOENT)',
    contact: 'none',
  });
  expect(await prepared.update?.(reference)).toMatchObject({ result: 'not_sent_retry' });
  expect(await readdir(folder)).toEqual([]);
});

it('can do nothing without the service', async () => {
  expect(await openFolder(1000, undefined).prepare(order(), label)).toEqual({
    result: 'permanent',
    cause: 'nothing can be exported without the service',
    contact: 'none',
  });
});

function fault(code: ServiceErrorCode, systemCode: string, status?: number): ServiceError {
  return new ServiceError({
    code,
    operation: 'exports.download',
    systemCode,
    status,
  });
}

it.each([
  [fault('file_system', 'ENOSPC'), 'not_sent_retry', 'the file cannot be written: the disk is full (ENOSPC)'],
  [fault('file_system', 'EIO'), 'not_sent_retry', 'the file cannot be written: the disk is in trouble (EIO)'],
  [
    fault('bad_request', 'ENOTDIR'),
    'not_sent_retry',
    'the file cannot be written: the folder is not there: make it, or mount its disk (ENOTDIR)',
  ],
  [fault('bad_request', 'ESECRET', 400), 'permanent', 'the export cannot be fetched: bad_request (400)'],
  [fault('not_ready', 'in progress', 202), 'not_sent_retry', 'the export cannot be fetched: not_ready (202)'],
])('%s', (error, result, cause) => {
  expect(classifyExportError(error)).toMatchObject({ result, cause });
});

it('throws an unexpected error without its message', () => {
  expect(() => classifyExportError(new TypeError('Weekly sync'))).toThrow(
    'the export cannot be fetched (TypeError)',
  );
});

it('deletes a file that was saved, and says why it cannot', async () => {
  const startMs = Date.now();
  const prepared = await ship();
  await prepared.send();
  expect(await deleteFile({ reference })).toEqual({
    ok: false,
    cause: 'its recipe is not configured: its folder is not known',
  });
  expect(await deleteFile({ reference, need: { folder } })).toEqual({ ok: true });
  expect(await prepared.probe(startMs)).toEqual({ result: 'absent', contact: 'none' });
  expect(await deleteFile({ reference, need: { folder } })).toEqual({ ok: true });
  const away = { folder: join(folder, 'away') };
  expect(await deleteFile({ reference, need: away })).toMatchObject({ ok: false });
});
