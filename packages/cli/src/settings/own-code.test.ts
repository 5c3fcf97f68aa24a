import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { makeFolder } from '../testing/for-the-file.ts';
import { runAftermeet } from '../testing/run-aftermeet.ts';
import { loadOwnCode } from './own-code.ts';

const recipe = (name = 'note') => `export default {
  name: '${name}',
  description: 'Posts a note.',
  on: ['meeting.completed'],
  run: ({ report }) => [{ destination: 'slack', channel: 'C0123456789', markdown: report.title }],
};
`;

/** It takes any message; without zod a schema is what can be asked. */
const hook = (more = '') => `export default {
  name: 'hook',
  message: { safeParse: (value) => ({ success: true, data: value }) },
  ${more}
  send: async () => ({ result: 'sent' }),
};
`;

const folder = makeFolder();

beforeAll(async () => {
  const installed = join(folder, 'node_modules/@me/recipes');
  await mkdir(installed, { recursive: true });
  const files = {
    'note.mjs': recipe(),
    'throws.mjs': '\n\nthrow new Error("no DATABASE_URL");\n',
    'lacks.mjs': 'import "left-out";\n',
    'empty.mjs': 'export const a = 1;\n',
    'taken.mjs': recipe('slack-recap'),
    'hook.mjs': hook(),
    'clash.mjs': hook('settings: { safeParse() {}, shape: { gap: {} } },'),
    'silent.mjs': 'export default { name: "silent", message: { safeParse() {} } };\n',
    'node_modules/@me/recipes/package.json': JSON.stringify({ exports: { '.': { import: './main.mjs' } } }),
    'node_modules/@me/recipes/main.mjs': recipe('packaged'),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
});

const load = async (use: string) =>
  (await loadOwnCode({ recipes: [use], destinations: [] }, folder)).recipes.get(use);

describe('loadOwnCode', () => {
  it.each(['./note.mjs', '@me/recipes'])('loads %s', async (use) => {
    expect(await load(use)).toMatchObject({ ok: true, recipe: { id: use, description: 'Posts a note.' } });
  });

  it.each([
    ['./gone.mjs', './gone.mjs, which is not there'],
    ['./throws.mjs', './throws.mjs:3, which cannot be loaded: Error: no DATABASE_URL'],
    ['./lacks.mjs', expect.stringMatching(/^\.\/lacks\.mjs.*, which cannot be loaded: Error: .*left-out/)],
    ['./empty.mjs', './empty.mjs without a default export'],
    ['./taken.mjs', './taken.mjs with the name of a prebuilt recipe, "slack-recap"'],
  ])('says what is wrong with %s', async (use, found) => {
    expect(await load(use)).toMatchObject({ ok: false, found });
  });

  it('leaves prebuilt recipes and unknown names to the settings', async () => {
    const uses = { recipes: ['slack-recap', 'slack-recapp'], destinations: [] };
    expect((await loadOwnCode(uses, folder)).recipes.size).toBe(0);
  });
});

/** Checks a settings file with a recipe, and perhaps a destination, of one's own. */
async function check(use: string, more = '') {
  const file = join(folder, 'aftermeet.yaml');
  await writeFile(file, `recipes: { mine: { use: "${use}" } }\n${more}`);
  return await runAftermeet(['recipes', 'check', '--config', file]);
}

describe("a recipe of one's own in the settings", () => {
  it('is explained as the prebuilt ones are', async () => {
    const { code, stdout } = await check('./note.mjs');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `ENDPOINT  RECIPE  SENDS TO          MEETINGS
default   mine    as its code says  every meeting

mine uses ./note.mjs
  Posts a note.
  Runs when the event is meeting.completed
        and its transcript is not empty, when the meeting is completed
  Endpoints: default
  Sends to: as its code says
`,
    });
  });

  it('that cannot be loaded is a settings error: exit code 2', async () => {
    const { code, stdout, stderr } = await check('./throws.mjs');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(
      'recipes.mine.use: found ./throws.mjs:3, which cannot be loaded: Error: no DATABASE_URL; expected a module that runs',
    );
  });
});

describe("a destination of one's own in the settings", () => {
  it.each([
    ['{ use: ./hook.mjs, gap: 1s }', 'ok'],
    ['{ use: ./gone.mjs }', 'destinations.hook.use: found ./gone.mjs, which is not there; expected a file'],
    [
      '{ use: gone }',
      'destinations.hook.use: found gone, which is not there; expected a file that starts with ./',
    ],
    ['{ use: ./throws.mjs }', 'found ./throws.mjs:3, which cannot be loaded: Error: no DATABASE_URL'],
    [
      '{ use: ./note.mjs }',
      'found ./note.mjs whose destination is not right: message; expected a schema of zod',
    ],
    ['{ use: ./silent.mjs }', 'found ./silent.mjs whose destination is not right: send; expected a function'],
    ['{ use: ./clash.mjs }', 'found ./clash.mjs whose settings have the key gap; expected another name'],
    ['{ use: ./hook.mjs, url: x }', 'destinations.hook.url: found a setting that is not known'],
    [
      '{ use: ./hook.mjs, gap: x }',
      'destinations.hook.gap: found a value that does not fit; expected a time',
    ],
  ])('%s: %s', async (section, expected) => {
    const { code, stderr } = await check('./note.mjs', `destinations: { hook: ${section} }\n`);
    expect(code === 0 ? 'ok' : stderr).toContain(expected);
  });
});
