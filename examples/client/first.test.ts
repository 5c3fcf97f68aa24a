import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { createClient } from '@aftermeet/client';
import { createSandbox } from '@aftermeet/sandbox';
import { afterAll, expect, it } from 'vitest';

const sandbox = createSandbox({ seed: 1 });
afterAll(() => sandbox.close());

it('records a meeting, waits for its report and prints the tasks', async () => {
  const { url } = await sandbox.listen();
  const program = fileURLToPath(new URL('first.mjs', import.meta.url));
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, SERVICE_BASE_URL: url, SERVICE_API_KEY: sandbox.key() },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  await expect.poll(() => printed, { timeout: 30_000 }).toContain('recording\n');
  const client = createClient({ baseUrl: url, apiKey: sandbox.key() });
  for await (const { items } of client.meetings.search({ q: 'Weekly' })) {
    for (const { id } of items) sandbox.completeMeeting(id);
  }
  expect(await exited).toEqual([0, null]);
  expect(printed).toMatch(/^[\da-f-]{36}\nrecording\nready\nWeekly sync \[/);
  expect(printed).toContain('text: ');
});
