import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { createSecretFileReader } from './secret-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'aftermeet-secret-'));
const read = createSecretFileReader(folder);

afterAll(() => rmSync(folder, { recursive: true }));

describe('a secret in a file', () => {
  it.each([
    ['abc', 'abc'],
    ['abc\n', 'abc'],
    ['abc\r\n', 'abc'],
    ['abc\n\n', 'abc\n'],
    [' abc ', ' abc '],
    ['', ''],
  ])('is what stands there without one line end: %j', (text, secret) => {
    writeFileSync(join(folder, 'plain'), text);
    expect(read('plain')).toBe(secret);
    expect(read(join(folder, 'plain'))).toBe(secret);
  });

  it('is found through links, as Kubernetes mounts it', () => {
    writeFileSync(join(folder, '..data'), 'linked');
    symlinkSync('..data', join(folder, 'link'));
    expect(read('link')).toBe('linked');
  });

  it('is none where there is no file, none of UTF-8, or a large one', () => {
    writeFileSync(join(folder, 'bytes'), Buffer.from([0xff, 0xfe]));
    writeFileSync(join(folder, 'large'), 'x'.repeat(4097));
    expect(['nowhere', '.', 'bytes', 'large', 'a\0b'].map(read)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
