import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runAftermeet } from '../testing/run-aftermeet.ts';
import { loadOwnRecipes } from './own-recipes.ts';

const recipe = (name = 'note') => `export default {
  name: '${name}',
  description: 'Posts a note.',
  on: ['meeting.completed'],
  run: ({ report }) => [{ destination: 'slack', channel: 'C0123456789', markdown: report.title }],
};
`;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aftermeet-own-recipes-'));
  const installed = join(folder, 'node_modules/@me/recipes');
  await mkdir(installed, { recursive: true });
  const files = {
    'note.mjs': recipe(),
    'throws.mjs': '\n\nthrow new Error("no DATABASE_URL");\n',
    'lacks.mjs': 'import "left-out";\n',
    'empty.mjs': 'export const a = 1;\n',
    'taken.mjs': recipe('slack-recap'),
    'node_modules/@me/recipes/package.json': JSON.stringify({ exports: { '.': { import: './main.mjs' } } }),
    'node_modules/@me/recipes/main.mjs': recipe('packaged'),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
});

afterAll(async () => rm(folder, { recursive: true, force: true }));

const load = async (use: string) => (await loadOwnRecipes([use], folder)).get(use);

describe('loadOwnRecipes', () => {
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
    expect((await loadOwnRecipes(['slack-recap', 'slack-recapp'], folder)).size).toBe(0);
  });
});

describe("a recipe of one's own in the settings", () => {
  const check = async (use: string) => {
    const file = join(folder, 'aftermeet.yaml');
    await writeFile(file, `recipes: { mine: { use: "${use}" } }`);
    return await runAftermeet(['recipes', 'check', '--config', file], {
      environment: { SLACK_BOT_TOKEN: 'xoxb-hunter2' },
    });
  };

  it('is explained as the prebuilt ones are', async () => {
    const { code, stdout } = await check('./note.mjs');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `ENDPOINT  RECIPE  SENDS TO                    MEETINGS
default   mine    recipe, as the report says  every meeting

mine uses ./note.mjs
  Posts a note.
  Runs when the event is meeting.completed
        and its transcript is not empty, when the meeting is completed
  Endpoints: default
  Sends to: recipe, as the report says
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
