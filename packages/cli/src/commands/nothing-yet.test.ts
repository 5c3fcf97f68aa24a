import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { makeFolder } from '../testing/for-the-file.ts';
import { runAftermeet } from '../testing/run-aftermeet.ts';
import { serve } from '../testing/serve.ts';

const directory = join(makeFolder(), 'queue');

const run = (...words: readonly string[]) =>
  runAftermeet(words, { environment: { QUEUE_URL: `embedded:${directory}` } });

it.each([
  [['effects', 'list'], 0],
  [['deliveries', 'list'], 0],
  [['meetings', 'list'], 0],
  [['approvals', 'list'], 0],
  [['suppress', 'list'], 0],
  [['pause'], 0],
  [['effects', 'show', '62d25587d909'], 1],
  [['deliveries', 'show', '3f2a9c01be77'], 1],
  [['meetings', 'show', 'm_42'], 1],
])('before anything was received %j finds nothing, creates no database and exits %d', async (words, code) => {
  expect(await run(...words, ...(code === 0 ? ['--json'] : []))).toEqual({
    code,
    stdout: code === 0 ? '{\n  "items": []\n}\n' : '',
    stderr: `There is no queue folder yet at ${directory}: nothing has been received.\n`,
  });
  expect(existsSync(directory)).toBe(false);
});

it('aftermeet doctor does not fail where only commands call the service', async () => {
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
