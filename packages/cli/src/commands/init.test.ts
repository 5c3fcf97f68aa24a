import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { readEnvFile } from '../settings/env-file.ts';
import { readItems } from '../testing/read-items.ts';
import { runAftermeet } from '../testing/run-aftermeet.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'aftermeet-init-'));
});

afterEach(() => rm(root, { recursive: true }));

describe('aftermeet init', () => {
  it('writes both files and says the next step', async () => {
    const folder = join(root, 'new');
    const { code, stdout, stderr } = await runAftermeet(['init', folder]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      `Written: ${folder}/aftermeet.yaml\nWritten: ${folder}/.env.example\n\nNext, fill in .env, and see what is missing:\n` +
        `  cd ${folder}\n  cp -n .env.example .env\n  npx aftermeet doctor\n\nTo see it work first, without an account: npx aftermeet dev\n`,
    );
    expect((await readdir(folder)).toSorted()).toEqual(['.env.example', 'aftermeet.yaml']);
  });

  it('writes settings that can be used, with the recipes in its comment too', async () => {
    expect(JSON.parse((await runAftermeet(['init', root, '--json'])).stdout)).toEqual({
      files: [join(root, 'aftermeet.yaml'), join(root, '.env.example')],
    });
    const config = join(root, 'aftermeet.yaml');
    const named = readEnvFile(join(root, '.env.example'), {});
    expect(Object.keys(named)).toContain('SLACK_BOT_TOKEN');
    const environment = { ...named, SLACK_BOT_TOKEN: 'xoxb-1', SLACK_CHANNEL: 'C0MEETINGS' };
    const check = () => runAftermeet(['recipes', 'check', '--config', config, '--json'], { environment });
    expect(readItems((await check()).stdout)).toMatchObject([
      { name: 'slack-recap' },
      { name: 'slack-alert' },
    ]);
    const text = await readFile(config, 'utf8');
    await writeFile(config, text.replaceAll(/^#(recipes:| {2})/gm, '$1'));
    expect(readItems((await check()).stdout)).toMatchObject([{ name: 'recap' }, { name: 'sales' }]);
  });

  it.each(['aftermeet.yaml', '.env.example'])('overwrites nothing: %s', async (name) => {
    await writeFile(join(root, name), 'mine');
    expect(await runAftermeet(['init', root])).toEqual({
      code: 2,
      stdout: '',
      stderr: `There is ${root}/${name} already: it stays as it is.\n`,
    });
    expect(await readdir(root)).toEqual([name]);
    expect(await readFile(join(root, name), 'utf8')).toBe('mine');
  });

  it('says why a folder cannot be made', async () => {
    await writeFile(join(root, 'file'), '');
    const { code, stderr } = await runAftermeet(['init', join(root, 'file')]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `The folder ${root}/file can't be made (EEXIST).\n`,
    });
  });
});
