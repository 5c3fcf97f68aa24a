import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { runAftermeet } from '../testing/run-aftermeet.ts';
import { serve } from '../testing/serve.ts';

let folder: string;
let directory: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aftermeet-nothing-'));
  directory = join(folder, 'queue');
});

afterEach(() => rm(folder, { recursive: true }));

const run = (...words: readonly string[]) =>
  runAftermeet(words, { environment: { QUEUE_URL: `embedded:${directory}` } });

describe('before anything was received', () => {
  it.each([
    ['effects', 'list'],
    ['deliveries', 'list'],
    ['meetings', 'list'],
    ['approvals', 'list'],
    ['suppress', 'list'],
    ['pause'],
  ])('%s %s lists nothing and creates no database', async (...words) => {
    expect(await run(...words, '--json')).toEqual({
      code: 0,
      stdout: '{\n  "items": []\n}\n',
      stderr: `There is no queue folder yet at ${directory}: nothing has been received.\n`,
    });
    expect(existsSync(directory)).toBe(false);
  });

  it.each([
    ['effects', 'show', '62d25587d909'],
    ['deliveries', 'show', '3f2a9c01be77'],
    ['meetings', 'show', 'm_42'],
  ])('%s %s finds nothing and creates no database', async (...words) => {
    expect(await run(...words)).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no queue folder yet at ${directory}: nothing has been received.\n`,
    });
    expect(existsSync(directory)).toBe(false);
  });
});

describe('aftermeet doctor', () => {
  it('does not fail where only commands call the service', async () => {
    const service = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
    });
    const environment = {
      QUEUE_URL: `embedded:${directory}`,
      SERVICE_BASE_URL: service.url,
      SERVICE_API_KEY: 'key_0123456789',
    };
    const { code, stdout } = await runAftermeet(['doctor', '--json'], { environment });
    const nothing = await runAftermeet(['doctor'], { environment: { QUEUE_URL: `embedded:${directory}` } });
    await service.close();
    expect(code).toBe(0);
    const { items }: { items: { name: string; result: string }[] } = JSON.parse(stdout);
    expect(items.map(({ name, result }) => [name, result])).toEqual([
      ['settings', 'ok'],
      ['receiver', 'not_set_up'],
      ['recipes', 'not_set_up'],
      ['service', 'ok'],
      ['queue', 'ok'],
    ]);
    expect(nothing.code).toBe(0);
    expect(nothing.stdout).toContain(
      'not set up  service   SERVICE_BASE_URL and SERVICE_API_KEY are not both set\n',
    );
  });
});
