import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { createMemoryRelease } from './release-memory.ts';
import { createFileWriter } from './write-file.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aftermeet-test-'));
  path = join(folder, 'file');
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const nothing = { onDrain() {}, onFault() {} };

it('writes pieces of every size in their order, for this user only', async () => {
  const writer = createFileWriter(path, nothing);
  const sizes = [0, 1, 70_000, 3_000_000, 5, 1_048_576];
  const expected = Buffer.concat(sizes.map((size, number) => Buffer.alloc(size, number)));
  for (const [number, size] of sizes.entries()) writer.write(Buffer.alloc(size, number));
  await writer.end();
  expect(readFileSync(path).equals(expected)).toBe(true);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('writes an empty file', async () => {
  await createFileWriter(path, nothing).end();
  expect(readFileSync(path)).toHaveLength(0);
});

it.each([
  ['bytes', 700_000, 3],
  ['pieces', 1, 1024],
])('asks for a pause when too many %s wait, and says when it is over', async (_what, size, count) => {
  const onDrain = vi.fn<() => void>();
  const writer = createFileWriter(path, { ...nothing, onDrain });
  for (let number = 1; number < count; number += 1) expect(writer.write(Buffer.alloc(size))).toBe(true);
  expect(writer.write(Buffer.alloc(size))).toBe(false);
  expect(onDrain).not.toHaveBeenCalled();
  await vi.waitFor(() => {
    expect(onDrain).toHaveBeenCalledOnce();
  });
  expect(writer.write(Buffer.alloc(1))).toBe(true);
  await writer.end();
  expect(statSync(path).size).toBe(size * count + 1);
});

it('gives the memory of what is written back at once, but for what others use', async () => {
  const writer = createFileWriter(path, nothing);
  const own = Buffer.from(new ArrayBuffer(2_000_000));
  const shared = Buffer.from(new ArrayBuffer(10)).subarray(1);
  writer.write(own);
  writer.write(shared);
  await writer.end();
  expect([own.length, shared.length]).toEqual([0, 9]);
  const release = createMemoryRelease();
  release(new Uint8Array(new SharedArrayBuffer(4)));
  // It is gone already.
  release(own);
});

it('tells of a fault, and takes nothing more', async () => {
  const onFault = vi.fn<(error: unknown) => void>();
  const writer = createFileWriter(join(folder, 'missing', 'file'), { ...nothing, onFault });
  await expect(writer.end()).rejects.toThrow('ENOENT');
  expect(onFault).toHaveBeenCalledWith(expect.objectContaining({ code: 'ENOENT' }));
  expect(writer.write(Buffer.alloc(9_000_000))).toBe(true);
});

it('does not write over a file', async () => {
  await createFileWriter(path, nothing).end();
  await expect(createFileWriter(path, nothing).end()).rejects.toThrow('EEXIST');
});

it('stops when it is told to, wherever it is', async () => {
  const writer = createFileWriter(path, nothing);
  writer.write(Buffer.alloc(3_000_000));
  await writer.abort();
  const size = existsSync(path) ? statSync(path).size : 0;
  expect(writer.write(Buffer.alloc(3_000_000))).toBe(true);
  await writer.abort();
  expect(existsSync(path) ? statSync(path).size : 0).toBe(size);
});
