import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { makeFolder, startVendors } from '../testing/for-the-file.ts';
import { runAftermeet } from '../testing/run-aftermeet.ts';

const folder = makeFolder();
const vendors = await startVendors();
const { environment } = vendors;

describe('aftermeet people import', () => {
  it('proposes the people of the settings with the members of a workspace, and overwrites no file', async () => {
    const config = join(folder, 'people.yaml');
    await writeFile(
      config,
      'people: [{ name: Anna Berg, aliases: [Anni], notion: 0b07a000-0000-4000-8000-000000000002 }]\n',
    );
    const out = join(folder, 'people.csv');
    const run = (...words: string[]) =>
      runAftermeet(['people', 'import', ...words, '--config', config], { environment });
    const first = await run('slack', '--out', out);
    expect(first).toMatchObject({
      code: 0,
      stderr: '6 members: 5 are new, 1 known people got their id, 0 are left.\n',
    });
    const csv = await readFile(out, 'utf8');
    expect(csv.split('\n').slice(0, 3)).toEqual([
      'name,aliases,email,slack,notion',
      'Anna Berg,Anni,anna@example.com,U0ANNA,0b07a000-0000-4000-8000-000000000002',
      'Sandbox User,,user@sandbox.example,U0SANDBOX,',
    ]);
    expect(await run('slack', '--out', out)).toMatchObject({
      code: 2,
      stderr: `The file ${out} can't be written: it exists already.\n`,
    });
    await writeFile(config, `people: { file: people.csv }\n`);
    const again = await run('slack', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ members: 6, added: 0, completed: 0, left: [] });
    const { stdout } = await run('notion');
    expect(stdout).toContain('\nTom Ruiz,,tom.ruiz@example.com,,0b07a000-0000-4000-8000-000000000003\n');
  });

  it('needs no more than the token', async () => {
    const { SLACK_CHANNEL: _channel, NOTION_DATA_SOURCE_ID: _source, ...tokens } = environment;
    // An empty variable, as a .env begins with, is none.
    const empty = { ...tokens, SLACK_CHANNEL: '', NOTION_DATA_SOURCE_ID: '' };
    const onlySlack = { ...empty, NOTION_TOKEN: '' };
    for (const [source, given] of [
      ['slack', tokens],
      ['notion', tokens],
      ['slack', empty],
      ['notion', empty],
      ['slack', onlySlack],
    ] as const) {
      const run = await runAftermeet(['people', 'import', source], { environment: given });
      expect([run.code, run.stdout.split('\n')[0]]).toEqual([0, 'name,aliases,email,slack,notion']);
    }
  });

  it('says what the app may not do', async () => {
    const { code, stderr } = await runAftermeet(['people', 'import', 'slack'], {
      environment: { ...environment, SLACK_API_URL: 'http://127.0.0.1:1/api/' },
    });
    expect(code).toBe(1);
    expect(stderr).toContain('users:read.email');
    const none = await runAftermeet(['people', 'import', 'notion'], { environment: {} });
    expect(none).toMatchObject({
      code: 2,
      stderr: "NOTION_TOKEN is not set: the members of Notion can't be listed.\n",
    });
  });
});
