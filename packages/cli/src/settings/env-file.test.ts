import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { makeFolder } from '../testing/for-the-file.ts';
import { readEnvFile } from './env-file.ts';

const folder = makeFolder();
const path = join(folder, '.env');

it('adds what the environment does not have', () => {
  writeFileSync(path, 'SLACK_CHANNEL=C1\nQUEUE_URL="redis://127.0.0.1"\n# LOG_LEVEL=debug\n');
  expect(readEnvFile(path, { QUEUE_URL: 'redis://queue' })).toEqual({ SLACK_CHANNEL: 'C1' });
  expect(readEnvFile(join(folder, 'none'), {})).toEqual({});
  expect(readEnvFile(folder, {})).toEqual({});
  expect(readEnvFile(undefined, {})).toEqual({});
});

it.each([
  ['SERVICE_BASE_URL', 'SERVICE_API_KEY'],
  ['SERVICE_MCP_URL', 'SERVICE_API_KEY'],
  ['AFTERMEET_URL', 'ADMIN_TOKEN'],
  ['SLACK_API_URL', 'SLACK_BOT_TOKEN'],
  ['NOTION_BASE_URL', 'NOTION_TOKEN'],
])('does not say by %s where the %s of the environment goes', (address, secret) => {
  writeFileSync(path, `${address}=https://elsewhere.example\n${secret}=of-the-file\n`);
  expect(readEnvFile(path, { [secret]: 'mine' })).toEqual({});
  expect(readEnvFile(path, { [`${secret}_FILE`]: '/run/secrets/mine' })).toEqual({});
  expect(readEnvFile(path, {})).toEqual({ [address]: 'https://elsewhere.example', [secret]: 'of-the-file' });
});

it('names no file, folder or profile', () => {
  const names = ['SERVICE_API_KEY_FILE', 'HOME', 'APPDATA', 'XDG_CONFIG_HOME', 'AFTERMEET_PROFILE'];
  writeFileSync(path, names.map((name) => `${name}=../.git-credentials\n`).join(''));
  expect(readEnvFile(path, {})).toEqual({});
});

it('is refused when it is too long to be one', () => {
  writeFileSync(path, `A=${'x'.repeat(70_000)}`);
  expect(() => readEnvFile(path, {})).toThrow('The file .env is over 64 KiB.');
});
