import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux keeps it in memory: there a snapshot need not wait for a disk. */
const inMemory = '/dev/shm';

/** An empty folder of its own; who makes it removes it. */
export function makeTestFolder(): string {
  return mkdtempSync(join(existsSync(inMemory) ? inMemory : tmpdir(), 'aftermeet-test-'));
}
