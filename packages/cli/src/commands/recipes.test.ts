import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { makeFolder } from '../testing/for-the-file.ts';
import { runAftermeet } from '../testing/run-aftermeet.ts';

const workflow = z.object({ name: z.string(), nodes: z.array(z.object({ name: z.string() })) });

const folder = makeFolder();
const config = join(folder, 'aftermeet.yaml');

beforeAll(async () => {
  const recipes = {
    'sales-recap': { use: 'slack-recap', when: { title: '*Sales*' }, with: { maxTasks: 3 } },
    files: { use: 'archive-export', with: { folder: '/srv/files' } },
    page: { use: 'notion-page' },
  };
  await writeFile(config, JSON.stringify({ recipes }));
});

describe('aftermeet recipes check', () => {
  const text = `
endpoints:
  default: { secrets: [whsec_3f1c90de6b7a4852], recipes: [general, alert, tasks] }
  sales: { secrets: [whsec_91b2e47f0c6d5a38], recipes: [sales, digest] }
  support: { secrets: [whsec_27d4c0b95e81fa63], recipes: [sales, digest] }
  legal: { secrets: [whsec_c05d8a61f9e2b743], recipes: [] }
recipes:
  general: { use: slack-recap, when: { not: { title: ['*HR*', '1:1*'] } }, with: { channel: C0GENERAL } }
  sales: { use: slack-recap, with: { channel: C0SALES } }
  alert: { use: slack-alert, with: { channel: C0OPS } }
  digest: { use: email-digest, when: { tag: sales }, with: { to: sales@example.com } }
  page: { use: notion-page }
  tasks: { use: slack-tasks, with: { fallback: C0GENERAL } }
`;
  const environment = {
    SLACK_BOT_TOKEN: 'xoxb-hunter2',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'notes@example.com',
  };

  it('begins with a table: which endpoint runs which recipe to which target', async () => {
    const file = join(folder, 'places.yaml');
    await writeFile(file, text);
    const { code, stdout } = await runAftermeet(['recipes', 'check', '--config', file], { environment });
    expect(code).toBe(1);
    expect(stdout.split('\n\n')[0]).toBe(
      `
ENDPOINT        RECIPE          SENDS TO                                       MEETINGS
default         general         slack, C0GENERAL                               its title does not fit "*HR*" or "1:1*"
                alert           slack, C0OPS                                   what goes wrong
                tasks           slack, as the report says, the rest C0GENERAL  every meeting
sales, support  sales           slack, C0SALES                                 every meeting
                digest          email, sales@example.com                       by the clock: it has the tag sales
legal           runs no recipe
(none)          page            notion: cannot run`.trimStart(),
    );
  });

  it('shows the options that are set, and with --options what each means', async () => {
    const file = join(folder, 'options.yaml');
    await writeFile(file, 'recipes: { sales: { use: slack-recap, with: { channel: C0SALES } } }');
    const check = (...words: readonly string[]) =>
      runAftermeet(['recipes', 'check', '--config', file, ...words], { environment });
    const { stdout: brief } = await check();
    expect(brief).toContain('\n  channel: "C0SALES"\n');
    expect(brief).not.toContain('maxTasks');
    const { stdout: full } = await check('--options');
    expect(full).toContain('\n  channel: "C0SALES"  ');
    expect(full).toContain('\n  mention: true (default)  Whether task owners ');
    expect(full.split('\n\n')[0]).toBe(brief.split('\n\n')[0]);
  });

  it.each([
    [['m_42', '--options'], '--options explains the settings: leave the meeting out.\n'],
    [['--endpoint', 'sales'], '--endpoint needs a meeting.\n'],
  ])('with %j is wrong use', async (words, stderr) => {
    const run = await runAftermeet(['recipes', 'check', ...words]);
    expect(run).toEqual({ code: 2, stdout: '', stderr });
  });
});

describe('aftermeet recipes new', () => {
  const words = (name: string) => ['recipes', 'new', name, '--config', join(folder, 'aftermeet.yaml')];

  it('writes a recipe and its test, and never over a file', async () => {
    const { code, stdout } = await runAftermeet([...words('my-note'), '--json']);
    expect(code).toBe(0);
    const { files } = z.object({ files: z.array(z.string()) }).parse(JSON.parse(stdout));
    expect(files.map((file) => file.replace(/\.(?:ts|mjs)$/, ''))).toEqual([
      join(folder, 'recipes/my-note'),
      join(folder, 'recipes/my-note.test'),
    ]);
    const [recipe = '', test = ''] = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    expect(recipe).toContain("  name: 'my-note',\n");
    expect(test).toMatch(/import recipe from '\.\/my-note\.(?:ts|mjs)';/);
    const again = await runAftermeet(words('my-note'));
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('it exists already')]);
  });

  it.each([
    ['slack-recap', 'a name that no prebuilt recipe has'],
    ['../x', 'small letters, digits and hyphens, such as customer-note'],
  ])('refuses the name %s', async (name, expected) => {
    const { code, stderr } = await runAftermeet(words(name));
    expect([code, stderr]).toEqual([2, expect.stringContaining(`expected ${expected}`)]);
  });
});

it.each([
  [['files'], 'The recipe "files" runs when a meeting ends, not by a schedule: aftermeet deliveries replay'],
  [['fils', '--dry-run'], 'There is no recipe "fils" with a schedule: no recipe of these settings has one'],
])('aftermeet recipes run is used wrongly with %j: exit code 2', async (words, complaint) => {
  const file = join(folder, 'files.yaml');
  await writeFile(file, 'recipes: { files: { use: archive-export, with: { folder: /srv/files } } }');
  const { code, stdout, stderr } = await runAftermeet(['recipes', 'run', ...words, '--config', file], {
    environment: { QUEUE_URL: `embedded:${join(folder, 'queue')}` },
  });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(complaint);
  // No store is made for a wrong name.
  expect(existsSync(join(folder, 'queue'))).toBe(false);
});

describe('aftermeet recipes to-n8n', () => {
  it('prints the workflow of a prebuilt recipe on stdout and what to know on stderr', async () => {
    const { code, stdout, stderr } = await runAftermeet(['recipes', 'to-n8n', '--prebuilt', 'slack-recap']);
    expect(code).toBe(0);
    expect(workflow.parse(JSON.parse(stdout)).name).toBe('Aftermeet: recap to Slack');
    expect(stderr).toContain('- The note in the workflow says what to fill in');
  });

  it('writes a recipe of the settings to a new file, and never over one', async () => {
    const out = join(folder, 'sales-recap.json');
    const words = ['recipes', 'to-n8n', 'sales-recap', '--out', out, '--config', config];
    const { code, stdout, stderr } = await runAftermeet(words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Wrote ${out}.`);
    expect(stdout).toContain('- These options of the recipe are left out: maxTasks.');
    const written = await readFile(out, 'utf8');
    expect(written).toContain('"Aftermeet: sales-recap"');
    expect(await runAftermeet(words)).toEqual({
      code: 2,
      stdout: '',
      stderr: `The file ${out} can't be written: it exists already.\n`,
    });
    expect(await readFile(out, 'utf8')).toBe(written);
  });

  it('prints the workflow and the notes as one JSON', async () => {
    const environment = {
      NOTION_TOKEN: 'SECRET-KEY',
      NOTION_DATA_SOURCE_ID: '11111111-2222-4333-8444-555555555555',
    };
    const words = ['recipes', 'to-n8n', 'page', '--json', '--config', config];
    const { code, stdout, stderr } = await runAftermeet(words, { environment });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const made = z.strictObject({ workflow, notes: z.array(z.string()) }).parse(JSON.parse(stdout));
    expect(made.notes).toHaveLength(1);
    expect(stdout).toContain('"11111111-2222-4333-8444-555555555555"');
    expect(stdout).not.toContain('SECRET');
  });

  it.each([
    [['nobody'], 'Which recipe? Expected one of sales-recap, files, page.\n'],
    [[], 'Which recipe? Expected one of sales-recap, files, page.\n'],
    [['files', '--prebuilt', 'slack-recap'], 'Name a recipe or --prebuilt, not both.\n'],
    [['--prebuilt', 'slack-recpa'], 'There is no prebuilt recipe of that name; expected slack-recap?'],
    [['sales-recap', '--out', '/no/such/folder/x.json'], 'the folder must exist and be writable.\n'],
    [
      ['files'],
      'No n8n workflow is shipped for archive-export; there is one for slack-recap, slack-alert, notion-page, email-follow-up.',
    ],
  ])('is used wrongly with %j: exit code 2', async (words, complaint) => {
    const { code, stdout, stderr } = await runAftermeet(['recipes', 'to-n8n', ...words, '--config', config]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(complaint);
  });

  it('says so where no recipe is turned on', async () => {
    const { code, stderr } = await runAftermeet(['recipes', 'to-n8n']);
    expect(code).toBe(2);
    expect(stderr).toContain('use --prebuilt with an id that aftermeet recipes list shows');
  });
});
