// The doors of docs/first-steps.md, with the commands of this checkout. packages.test.ts walks them with the packages, and the
// pages that they lead to.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { root } from '../pins/picture.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../support/index.ts';
import { pages } from './doors.ts';
import { cleanEnvironment, readCommands, readPage, walkPage } from './walk-page.ts';

const STORY_WITHIN_MS = 240_000;

let folder: TemporaryFolder;
let npmrc: string;
beforeAll(async () => {
  folder = await makeTemporaryFolder();
  npmrc = join(folder.path, 'npmrc');
  await writeFile(npmrc, '');
});
afterAll(() => folder.remove());

it('every command of a page is found, in its order', () => {
  const page =
    'Run `npx aftermeet init`:\n\n   ```sh\n   npm start   # all\n   # then\n   cd a\n   ```\n\n```ts\n`npm x y`\n```\n';
  expect(readCommands(page, { inSentences: true })).toEqual(['npx aftermeet init', 'npm start', 'cd a']);
  expect(readCommands(page, { inSentences: false })).toEqual(['npm start', 'cd a']);
});

it('docs/first-steps.md has no block of commands outside of its doors', async () => {
  const page = await readPage({ file: 'docs/first-steps.md' });
  expect(readCommands(page, { inSentences: false })).toEqual([]);
});

const doors = pages.filter(({ door }) => door !== undefined);

it.each(doors.map((page) => [page.door, page] as const))(
  'the door %s leads where it says',
  { timeout: STORY_WITHIN_MS },
  async (name = '', page) => {
    const place = join(folder.path, name);
    await mkdir(place);
    await symlink(join(root, 'node_modules'), join(place, 'node_modules'));
    await walkPage(page, { folder: place, environment: cleanEnvironment(npmrc), isCheckout: true });
  },
);
