import { readFileSync } from 'node:fs';

import { afterAll, expect, it } from 'vitest';

import { createClient } from './create-client.ts';
import { createTestServers } from './testing/start-servers.ts';
import { VERSION } from './version.ts';

const servers = createTestServers();
afterAll(() => servers.stopAll());

it('is that of the package, and a request names it', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(VERSION).toBe(version);
  const agents: unknown[] = [];
  const baseUrl = await servers.start(({ headers }, response) => {
    agents.push(headers['user-agent']);
    response.end('processing');
  });
  await createClient({ baseUrl, apiKey: 'key_for_tests' }).recordings.status('m_1');
  expect(agents).toEqual([`aftermeet/${version}`]);
});
