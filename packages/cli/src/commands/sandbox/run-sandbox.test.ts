import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { createStop } from '../../testing/create-stop.ts';
import { makeFolder } from '../../testing/for-the-file.ts';
import { runAftermeet } from '../../testing/run-aftermeet.ts';

const folder = makeFolder();
const { press, stop } = createStop();
press();

/** Starts `aftermeet sandbox` and ends it once it has said that it is up. */
const start = (...words: readonly string[]) => runAftermeet(['sandbox', ...words], { armStop: () => stop });

describe('what the sandbox says once it is up', () => {
  it('is made of settings, pages and what to do next', async () => {
    const { code, stdout, stderr } = await start('--port', '0');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const at = String.raw`http://127\.0\.0\.1:\d+`;
    const lines = [
      `SERVICE_BASE_URL=(${at})`,
      'SERVICE_API_KEY=sandbox_key',
      `SLACK_API_URL=${at}/api/`,
      'SLACK_BOT_TOKEN=xoxb-sandbox',
      'SLACK_CHANNEL=C0MEETINGS',
      `NOTION_BASE_URL=${at}`,
      'NOTION_TOKEN=ntn_sandbox',
      String.raw`NOTION_DATA_SOURCE_ID=\S+`,
      String.raw`SMTP_URL=smtp:\S+`,
      'MAIL_FROM=meetings@example.com',
      '',
      String.raw`page of the sandbox +\1/_sandbox`,
      `arrived at Slack +${at}`,
      `arrived at Notion +${at}`,
      `arrived as mail +${at}`,
      '',
      String.raw`Ready; Ctrl-C ends it\. Try next, in another terminal: aftermeet sandbox seed --url \1`,
    ];
    expect(stdout).toMatch(new RegExp(`^${lines.join('\n')}\n$`));
  });

  it('is the same beside a settings file that is wrong', async () => {
    const file = join(folder, 'aftermeet.yaml');
    await writeFile(file, 'recipes: { recap: { use: slack-recp } }\n');
    const { code, stdout, stderr } = await runAftermeet(['sandbox', '--port', '0'], {
      armStop: () => stop,
      environment: { AFTERMEET_CONFIG: file, PORT: 'x' },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('\nReady; Ctrl-C ends it.');
  });

  it('is one line of JSON for machines', async () => {
    const { stdout } = await start('--port', '0', '--json', '--key', 'mine');
    expect(stdout).toMatch(/^\{.*\}\n$/);
    const facts = JSON.parse(stdout) as Record<string, string>;
    expect(Object.keys(facts)).toEqual([
      'SERVICE_BASE_URL',
      'SERVICE_API_KEY',
      'SLACK_API_URL',
      'SLACK_BOT_TOKEN',
      'SLACK_CHANNEL',
      'NOTION_BASE_URL',
      'NOTION_TOKEN',
      'NOTION_DATA_SOURCE_ID',
      'SMTP_URL',
      'MAIL_FROM',
      'pages',
    ]);
    expect(facts['SERVICE_API_KEY']).toBe('mine');
    expect(facts['pages']?.split(' ')).toHaveLength(4);
  });
});

it('says which ports it needs when one of them is taken', async () => {
  const squatter = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => squatter.once('listening', resolve));
  const address = squatter.address();
  const taken = typeof address === 'object' && address !== null ? address.port : 0;
  // The first emulator finds it taken.
  const { code, stderr } = await start('--port', String(taken - 1));
  squatter.close();
  expect(code).toBe(1);
  expect(stderr).toContain(
    `Port ${taken} is taken. The sandbox needs ${taken - 1} to ${taken + 3}: does one run here already? ` +
      'Choose others with --port <number>; 0 takes any free ones.',
  );
});
