import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { openNoteFolder } from './note-folder.ts';
import { cleanUp, failureOf, makeFolder } from './testing/upload-service.ts';
import { takeLock } from './upload-lock.ts';

afterEach(cleanUp);

const NOW_MS = 1_800_000_000_000;
const clock = (): number => NOW_MS;
const LIVING = { pid: process.ppid, host: hostname(), bornMs: 1 };
const OURSELVES = { ...LIVING, pid: process.pid, bornMs: performance.timeOrigin };
const GONE = { ...LIVING, pid: 2 ** 22 + 1 };

/** A lock whose owner was last heard of so many seconds ago. */
async function findLock(owner: unknown, ageSeconds: number): Promise<() => Promise<() => Promise<void>>> {
  const path = makeFolder();
  const folder = await openNoteFolder(path);
  const file = join(path, 'x.lock');
  writeFileSync(file, typeof owner === 'string' ? owner : JSON.stringify(owner));
  utimesSync(file, NOW_MS / 1000 - ageSeconds, NOW_MS / 1000 - ageSeconds);
  return () => takeLock(folder, 'x.lock', clock);
}

describe('a lock', () => {
  it('is held until it is released', async () => {
    const path = makeFolder();
    const folder = await openNoteFolder(path);
    const release = await takeLock(folder, 'x.lock', clock);
    expect(await failureOf(takeLock(folder, 'x.lock', clock))).toMatchObject({
      code: 'conflict',
      detail: 'another process is uploading this file; if none is, try again in 15 s',
    });
    await release();
    expect(existsSync(join(path, 'x.lock'))).toBe(false);
    await (
      await takeLock(folder, 'x.lock', clock)
    )();
  });

  it.each<[string, unknown, number]>([
    ['of a process that is gone', GONE, 0],
    ['of an earlier process with our id', { ...LIVING, pid: process.pid }, 0],
    ['of a living process that was not heard of for long', LIVING, 16],
    ['of another machine that was not heard of for long', { ...LIVING, host: 'elsewhere' }, 16],
    ['that says nothing, and that a while ago', '', 3],
    ['that is half written, and that a while ago', '{"pid":', 3],
    ['of an earlier process with the id of a living one', { ...LIVING, started: 'before' }, 0],
    ['of another one with our time, which started earlier', { ...OURSELVES, started: 'before' }, 0],
  ])('%s is taken over', async (_name, owner, ageSeconds) => {
    const take = await findLock(owner, ageSeconds);
    const release = await take();
    await failureOf(take());
    await release();
  });

  it.each<[string, unknown, number]>([
    ['of a living process', LIVING, 14],
    ['of another machine, whose processes nobody sees here', { ...GONE, host: 'elsewhere' }, 14],
    ['that is just being written', '', 1],
    ['of this very process', OURSELVES, 14],
  ])('%s is respected', async (_name, owner, ageSeconds) => {
    expect((await failureOf((await findLock(owner, ageSeconds))())).code).toBe('conflict');
  });

  it.runIf(process.platform === 'linux')(
    'of a dead process whose parent took no notice is taken over',
    async () => {
      // `exec` leaves the shell's child to one that never waits for it.
      const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 60']);
      try {
        const pid = await new Promise<number>((resolve) => {
          parent.stdout.once('data', (line: Buffer) => resolve(Number(line.toString())));
        });
        await vi.waitFor(() => expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z '));
        await (
          await findLock({ ...LIVING, pid }, 0)
        )();
      } finally {
        parent.kill();
      }
    },
  );

  it('that was abandoned is taken over by one of many', async () => {
    for (let round = 0; round < 30; round += 1) {
      const take = await findLock(GONE, 0);
      const takers = await Promise.allSettled(Array.from({ length: 5 }, take));
      const releases = takers.filter((outcome) => outcome.status === 'fulfilled');
      expect(releases).toHaveLength(1);
      for (const { value: release } of releases) await release();
    }
  });

  it('can be taken over though somebody was killed while doing so', async () => {
    const path = makeFolder();
    const folder = await openNoteFolder(path);
    for (const name of ['x.lock', 'x.lock.takeover.tmp']) {
      writeFileSync(join(path, name), JSON.stringify(GONE));
      utimesSync(join(path, name), NOW_MS / 1000 - 16, NOW_MS / 1000 - 16);
    }
    expect((await failureOf(takeLock(folder, 'x.lock', clock))).code).toBe('conflict');
    await takeLock(folder, 'x.lock', clock).then((release) => release());
    expect(readdirSync(path)).toEqual([]);
  });
});
