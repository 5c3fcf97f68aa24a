import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { placeFile, toFileError } from './save-file.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'place-file-'));
  await writeFile(join(folder, 'temporary'), 'new');
});
afterEach(() => rm(folder, { recursive: true }));

const noLinks = (): Promise<never> =>
  Promise.reject(Object.assign(new Error('x'), { code: 'ENOTSUP', syscall: 'link' }));

describe.each([
  ['with links', undefined],
  ['without links', noLinks],
])('placeFile %s', (_name, link) => {
  it('gives the name to a new file, and never replaces what appeared in the meantime', async () => {
    const place = () => placeFile(join(folder, 'temporary'), join(folder, 'target'), false, link);
    await writeFile(join(folder, 'target'), 'old');
    await expect(place()).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(join(folder, 'target'), 'utf8')).toBe('old');
    await rm(join(folder, 'target'));
    await place();
    expect(await readFile(join(folder, 'target'), 'utf8')).toBe('new');
  });

  it('lets one of many win', async () => {
    const names = Array.from({ length: 8 }, (_entry, index) => join(folder, `t${index}`));
    await Promise.all(names.map((name) => writeFile(name, name)));
    const target = join(folder, 'target');
    const results = await Promise.allSettled(names.map((name) => placeFile(name, target, false, link)));
    const winners = names.filter((_entry, index) => results[index]?.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    expect(await readFile(target, 'utf8')).toBe(winners[0]);
  });
});

describe('placeFile', () => {
  it('replaces when it may', async () => {
    await writeFile(join(folder, 'target'), 'old');
    await placeFile(join(folder, 'temporary'), join(folder, 'target'), true);
    expect(await readFile(join(folder, 'target'), 'utf8')).toBe('new');
    expect(await readdir(folder)).toEqual(['target']);
  });

  it('leaves no empty file behind when the last step fails', async () => {
    const placing = placeFile(join(folder, 'not there'), join(folder, 'target'), false, noLinks);
    await expect(placing).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await readdir(folder)).toEqual(['temporary']);
  });
});

const fault = (code: string): Error =>
  Object.assign(new Error(`${code}: open '/home/ann/Board meeting.pdf'`), { code, syscall: 'open' });

describe('toFileError', () => {
  it.each(['ENOSPC', 'EACCES', 'EPERM', 'EROFS', 'EDQUOT', 'EIO', 'EMFILE'])(
    'takes %s for a fault of the machine',
    (code) => {
      expect(toFileError(fault(code))).toMatchObject({
        code: 'file_system',
        status: undefined,
        detail: `the file cannot be written (${code})`,
        retryable: false,
      });
    },
  );

  it.each(['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'])(
    'takes %s for a path that was chosen wrong',
    (code) => {
      expect(toFileError(fault(code))).toMatchObject({
        code: 'bad_request',
        detail: `the path cannot be written (${code})`,
      });
    },
  );

  it('takes a file that is there for a conflict, and leaves every other error alone', () => {
    expect(toFileError(fault('EEXIST'))).toMatchObject({ code: 'conflict', status: undefined });
    const other = new TypeError('mine');
    expect(toFileError(other)).toBe(other);
  });
});
