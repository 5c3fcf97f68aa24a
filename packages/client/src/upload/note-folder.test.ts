import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import { openNoteFolder } from './note-folder.ts';
import { cleanUp, failureOf, makeFolder } from './testing/upload-service.ts';

afterEach(cleanUp);

describe('writing a note', () => {
  it('does not follow a link that was put there before', async () => {
    const path = makeFolder();
    const precious = join(makeFolder(), 'precious');
    writeFileSync(precious, 'precious');
    symlinkSync(precious, join(path, `n.json.${process.pid}.tmp`));
    const folder = await openNoteFolder(path);
    await folder.write('n.json', { a: 1 });
    expect(readFileSync(precious, 'utf8')).toBe('precious');
    expect(await folder.read('n.json')).toEqual({ a: 1 });
  });

  it('leaves nothing behind when it fails', async () => {
    const path = makeFolder();
    const folder = await openNoteFolder(path);
    mkdirSync(join(path, 'n.json/x'), { recursive: true });
    const error = await failureOf(folder.write('n.json', { a: 1 }));
    expect(error.detail).toMatch(/^the state folder cannot be written: E[A-Z]+$/);
    expect(readdirSync(path)).toEqual(['n.json']);
  });
});
