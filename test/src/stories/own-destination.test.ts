import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  makeTemporaryFolder,
  openTestStore,
  type TemporaryFolder,
  type TestStore,
} from '../support/index.ts';
import { type AftermeetProcess, runAftermeet, startAftermeet } from './aftermeet-process.ts';
import { deliver } from './deliver.ts';
import { SECRET, type Services, startServices } from './services.ts';
import { waitFor } from './wait-for.ts';

/** Written outside of any package: what is asked stands in for a schema. */
const pager = `
const any = { safeParse: (value) => ({ success: true, data: value }) };
export default {
  name: 'pager',
  settings: { ...any, shape: { url: any } },
  message: any,
  send: async ({ text }, { settings, key, signal }) => {
    const answer = await fetch(settings.url + '/' + key, { method: 'POST', body: text, signal });
    if (answer.ok) return { result: 'sent' };
    return { result: 'pause', cause: 'the pager wants another token' };
  },
  find: async (key, { settings, signal }) =>
    (await fetch(settings.url + '/' + key, { signal })).ok ? key : undefined,
};
`;

const note = `
export default {
  name: 'note',
  description: 'Pages the title.',
  on: ['meeting.completed'],
  run: ({ report }) => [{ destination: 'pager', message: { text: report.title } }],
};
`;

describe("a destination in a file of one's own", () => {
  let store: TestStore;
  let services: Services;
  let folder: TemporaryFolder;
  let environment: Readonly<Record<string, string>>;
  let receiver: AftermeetProcess;
  let worker: AftermeetProcess;
  let server: Server;
  /** Texts by key, as they arrived. */
  const received: [key: string, text: string][] = [];
  let behaviour: 'take' | 'refuse' | 'take, but do not answer' = 'take';

  beforeAll(async () => {
    server = createServer((request, response) => {
      const key = request.url?.slice(1) ?? '';
      if (request.method === 'GET') {
        response.writeHead(received.some(([known]) => known === key) ? 200 : 404).end();
        return;
      }
      let text = '';
      request.on('data', (part: Buffer) => (text += part.toString('utf8')));
      request.on('end', () => {
        if (behaviour !== 'refuse') received.push([key, text]);
        if (behaviour !== 'take, but do not answer')
          response.writeHead(behaviour === 'take' ? 200 : 401).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    folder = await makeTemporaryFolder();
    store = await openTestStore('redis');
    services = await startServices();
    const config = join(folder.path, 'aftermeet.yaml');
    await writeFile(join(folder.path, 'pager.mjs'), pager);
    await writeFile(join(folder.path, 'note.mjs'), note);
    await writeFile(
      config,
      `
endpoints: { default: { secrets: [${SECRET}] } }
recipes: { note: { use: ./note.mjs } }
destinations: { pager: { use: ./pager.mjs, url: "http://127.0.0.1:${port}", grace: 5s, timeout: 2s } }
`,
    );
    environment = { ...services.settings, QUEUE_URL: store.queueUrl, AFTERMEET_CONFIG: config };
    receiver = await startAftermeet(['receiver', '--port', '0'], environment);
    worker = await startAftermeet(['worker'], environment);
  });
  afterAll(async () => {
    await Promise.all([receiver, worker].map((each) => each.end('SIGKILL')));
    server.closeAllConnections();
    server.close();
    await services.close();
    await store.dispose();
    folder.remove();
  });

  const send = async () => {
    const meetingId = await services.completeMeeting();
    expect(await deliver(`${receiver.facts['url']}/hooks/default`, meetingId)).toBe(200);
  };
  const listEffects = async () => (await runAftermeet(['effects', 'list'], environment)).stdout;

  it('that refuses our token pauses, and sends what waited afterwards', async () => {
    behaviour = 'refuse';
    await send();
    const listed = await waitFor(
      'the pause',
      async () => {
        const stdout = await listEffects();
        return stdout.includes('the pager wants another token') ? stdout : undefined;
      },
      20_000,
    );
    expect(listed).toContain('pager');
    expect(received).toEqual([]);
    behaviour = 'take';
    await waitFor('the page', () => received.length === 1 || undefined, 60_000);
    expect(received[0]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), 'Story meeting']);
    // It is tried every 30 seconds.
  }, 90_000);

  it('is asked after a kill, and gets nothing twice', async () => {
    received.length = 0;
    behaviour = 'take, but do not answer';
    await send();
    await waitFor('the page', () => received.length === 1 || undefined, 20_000);
    await worker.end('SIGKILL');
    behaviour = 'take';
    worker = await startAftermeet(['worker'], environment);
    await waitFor(
      'the end of all work',
      async () => (await listEffects()).endsWith('nothing waits.\n') || undefined,
      60_000,
    );
    expect(received.length).toBe(1);
  }, 90_000);

  it('whose file is broken is a settings error, and own settings never leave it', async () => {
    const config = join(folder.path, 'broken.yaml');
    await writeFile(
      config,
      'destinations: { pager: { use: ./pager.mjs, url: "http://hunter2", gap: soon } }',
    );
    const { code, stderr } = await runAftermeet(['worker', '--config', config], environment);
    expect(code).toBe(2);
    expect(stderr).toContain('destinations.pager.gap: found');
    expect(stderr).not.toContain('hunter2');
  });
});
