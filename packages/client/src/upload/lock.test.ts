import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { createLock, findLock, parseStat, replaceLock, takeLock } from './lock.ts';
import { cleanUp, failureOf, makeFolder } from './testing/upload-service.ts';

afterEach(cleanUp);

const NOW_MS = 1_800_000_000_000;
const clock = (): number => NOW_MS;
const LIVING = { pid: process.ppid, host: hostname(), bornMs: 1 };
const OURSELVES = { ...LIVING, pid: process.pid, bornMs: performance.timeOrigin };
const GONE = { ...LIVING, pid: 2 ** 22 + 1 };

/** A lock whose owner was last heard of so many seconds ago. */
function leaveLock(owner: unknown, ageSeconds: number): () => Promise<() => Promise<void>> {
  const path = makeFolder();
  const file = join(path, 'x.lock');
  writeFileSync(file, typeof owner === 'string' ? owner : JSON.stringify(owner));
  utimesSync(file, NOW_MS / 1000 - ageSeconds, NOW_MS / 1000 - ageSeconds);
  return () => takeLock(file, clock);
}

describe('a lock', () => {
  it('is held until it is released', async () => {
    const path = makeFolder();
    const release = await takeLock(join(path, 'x.lock'), clock);
    expect(await failureOf(takeLock(join(path, 'x.lock'), clock))).toMatchObject({
      code: 'conflict',
      detail: 'another process is uploading this file; if none is, try again in 15 s',
    });
    await release();
    expect(existsSync(join(path, 'x.lock'))).toBe(false);
    await (
      await takeLock(join(path, 'x.lock'), clock)
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
    const take = leaveLock(owner, ageSeconds);
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
    expect((await failureOf(leaveLock(owner, ageSeconds)())).code).toBe('conflict');
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
        await leaveLock({ ...LIVING, pid }, 0)();
      } finally {
        parent.kill();
      }
    },
  );

  it('that was abandoned is taken over by one of many', async () => {
    for (let round = 0; round < 30; round += 1) {
      const take = leaveLock(GONE, 0);
      const takers = await Promise.allSettled(Array.from({ length: 5 }, take));
      const releases = takers.filter((outcome) => outcome.status === 'fulfilled');
      expect(releases).toHaveLength(1);
      for (const { value: release } of releases) await release();
    }
  });

  it('can be taken over though somebody was killed while doing so', async () => {
    const path = makeFolder();
    for (const name of ['x.lock', 'x.lock.takeover.tmp']) {
      writeFileSync(join(path, name), JSON.stringify(GONE));
      utimesSync(join(path, name), NOW_MS / 1000 - 16, NOW_MS / 1000 - 16);
    }
    expect((await failureOf(takeLock(join(path, 'x.lock'), clock))).code).toBe('conflict');
    await takeLock(join(path, 'x.lock'), clock).then((release) => release());
    expect(readdirSync(path)).toEqual([]);
  });

  it('is removed when it cannot be written, as on a full disk', async () => {
    const path = join(makeFolder(), 'x.lock');
    const full = (function* (): Generator<string> {
      yield 'half';
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    })();
    // @ts-expect-error: no text, but something that fails while it is written
    const error = await failureOf(createLock(path, full));
    expect(error.detail).toBe('the state folder cannot be written: ENOSPC');
    expect(existsSync(path)).toBe(false);
  });

  it('of another process is neither refreshed nor removed', async () => {
    const path = join(makeFolder(), 'x.lock');
    const release = await takeLock(path, clock);
    writeFileSync(path, 'theirs');
    await release();
    expect(readFileSync(path, 'utf8')).toBe('theirs');
  });
});

describe('replacing a lock', () => {
  it('leaves the lock of one that was quicker alone', async () => {
    const folder = makeFolder();
    const path = join(folder, 'x.lock');
    writeFileSync(path, 'stale');
    const found = await findLock(path);
    expect(await replaceLock(path, found, 'quick', Date.now())).toBe(true);
    expect(await replaceLock(path, found, 'slow', Date.now())).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe('quick');
    expect(readdirSync(folder)).toEqual(['x.lock']);
  });

  it('leaves one alone that was heard of since', async () => {
    const path = join(makeFolder(), 'x.lock');
    writeFileSync(path, 'thought dead');
    const found = await findLock(path);
    utimesSync(path, 5, 5);
    expect(await replaceLock(path, found, 'slow', Date.now())).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe('thought dead');
  });
});

const REST = '1 2 3 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 87654 0 0';

describe('the state of a process', () => {
  it.each<[string, string, unknown]>([
    ['sleeps', `7 (node) S ${REST}`, { isDead: false, started: '87654' }],
    ['is a zombie', `7 (node) Z ${REST}`, { isDead: true, started: '87654' }],
    ['is dead', `7 (node) X ${REST}`, { isDead: true, started: '87654' }],
    ['has an odd name', `7 (a) Z (b) R ${REST}\n`, { isDead: false, started: '87654' }],
    ['is not there', '', undefined],
    ['is told in half', '7 (node) Z 1 2', undefined],
  ])('that %s', (_name, text, state) => {
    expect(parseStat(text)).toEqual(state);
  });
});
