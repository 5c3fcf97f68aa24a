import { join } from 'node:path';

import { makeTemporaryFolder, type TemporaryFolder } from '@aftermeet/test/support';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runAftermeet } from '../testing/run-aftermeet.ts';

let folder: TemporaryFolder;

beforeEach(async () => {
  folder = await makeTemporaryFolder();
});
afterEach(() => folder.remove());

describe('aftermeet backup and restore', () => {
  it.each([
    ['backup', 'redis://:pw@10.0.0.1/0', /QUEUE_URL is redis:.*redis-cli BGSAVE/],
    ['backup', 'postgres://me:pw@10.0.0.1/db', /QUEUE_URL is postgres:.*pg_dump/],
    ['restore', 'redis://:pw@10.0.0.1/0', /QUEUE_URL is redis:.*redis-cli BGSAVE/],
  ])('%s names the tool of %s and ends with 2', async (command, queueUrl, expected) => {
    const target = join(folder.path, 'backup');
    const run = await runAftermeet([command, target], { environment: { QUEUE_URL: queueUrl } });
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(expected);
    expect(run.stderr).not.toContain('pw');
  });

  it('runs on the machine of the queue alone', async () => {
    const environment = { AFTERMEET_URL: 'https://hooks.example.com', ADMIN_TOKEN: 'x'.repeat(32) };
    const run = await runAftermeet(['backup', join(folder.path, 'backup')], { environment });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('run it there, without AFTERMEET_URL');
  });

  it('makes no store for a backup of nothing, nor for a restore of what is no backup', async () => {
    const environment = { QUEUE_URL: `embedded:${join(folder.path, 'store')}` };
    const nothing = await runAftermeet(['backup', join(folder.path, 'backup')], { environment });
    expect(nothing).toMatchObject({ code: 1, stdout: '' });
    expect(nothing.stderr).toContain('nothing has been received');
    const restored = await runAftermeet(['restore', folder.path], { environment });
    expect(restored).toMatchObject({ code: 2, stdout: '' });
    expect(restored.stderr).toBe(
      `This is no whole backup: ${folder.path}/manifest.json is missing or can't be read.\n`,
    );
    const again = await runAftermeet(['backup', join(folder.path, 'backup')], { environment });
    expect(again.code).toBe(1);
  });

  it('refuses a folder with files, as JSON too', async () => {
    const source = join(folder.path, 'store');
    const environment = { QUEUE_URL: `embedded:${source}` };
    await runAftermeet(['suppress', 'add', 'ann@example.com'], { environment });
    const refused = await runAftermeet(['backup', source, '--json'], { environment });
    expect(refused.code).toBe(2);
    expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'wrong_use', retryable: false } });

    const target = join(folder.path, 'backup');
    const saved = await runAftermeet(['backup', target, '--json'], { environment });
    expect(JSON.parse(saved.stdout)).toMatchObject({ folder: target, release: '0.1.0' });
    const other = { QUEUE_URL: `embedded:${join(folder.path, 'other')}` };
    const restored = await runAftermeet(['restore', target], { environment: other });
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    expect(restored.stdout).toMatch(/other now holds the backup: \d+ rows, .* UTC\.\n$/);
    const listed = await runAftermeet(['suppress', 'list', '--json'], { environment: other });
    expect(JSON.parse(listed.stdout)).toMatchObject({ items: [{ address: 'ann@example.com' }] });
  });
});
