import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createContentHash } from './content-hash.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'aftermeet-test-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Chunks in files of their own, each under a new name, as they come in. */
function openChunks() {
  const paths = new Map<number, string>();
  const content = createContentHash((number) => paths.get(number));
  let files = 0;
  return {
    paths,
    content,
    keep: (number: number, text: string): void => {
      files += 1;
      const path = join(folder, `${String(number)}-${String(files)}`);
      writeFileSync(path, text);
      const isReplaced = paths.has(number);
      paths.set(number, path);
      if (isReplaced) content.replace(number);
      content.follow();
    },
  };
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the hash of chunks', () => {
  it('covers the last version of each chunk, in any order and at any pace', async () => {
    const arrival = fc.record({ number: fc.nat(3), text: fc.string({ maxLength: 3 }), turns: fc.nat(6) });
    await fc.assert(
      fc.asyncProperty(fc.array(arrival, { maxLength: 9 }), async (arrivals) => {
        const { content, keep } = openChunks();
        const texts = new Map<number, string>();
        for (const { number, text, turns } of arrivals) {
          keep(number, text);
          texts.set(number, text);
          for (let count = 0; count < turns; count += 1) await turn();
        }
        const gap = [0, 1, 2, 3, 4].find((number) => !texts.has(number)) ?? 4;
        const whole = Array.from({ length: gap }, (_, number) => texts.get(number)).join('');
        expect(await content.digest()).toBe(hash(whole));
        expect(await content.digest()).toBe(hash(whole));
      }),
      { numRuns: 60 },
    );
  });

  it('reads no file again that it followed', async () => {
    const { content, keep, paths } = openChunks();
    for (const number of [0, 1, 2]) keep(number, String(number));
    expect(await content.digest()).toBe(hash('012'));
    for (const path of paths.values()) rmSync(path);
    expect(await content.digest()).toBe(hash('012'));
    keep(3, '3');
    expect(await content.digest()).toBe(hash('0123'));
  });

  it('says that a file is missing, and is right once it is there again', async () => {
    const { content, keep, paths } = openChunks();
    keep(0, 'zero');
    keep(1, 'one');
    rmSync(paths.get(1) ?? '');
    await expect(content.digest()).rejects.toThrow('ENOENT');
    keep(1, 'one again');
    expect(await content.digest()).toBe(hash('zeroone again'));
  });
});
