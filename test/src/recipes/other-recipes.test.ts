import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { makeTemporaryFolder, type TemporaryFolder } from '@aftermeet/test/support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { openRecipeHarness, type RecipeHarness } from './recipe-harness.ts';

interface Arrival {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An HTTP receiver that answers 204. */
async function startTaker(): Promise<{
  readonly server: Server;
  readonly url: string;
  readonly arrivals: Arrival[];
}> {
  const arrivals: Arrival[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      arrivals.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}/meetings`, arrivals };
}

const key = Buffer.from('0123456789abcdef0123456789abcdef');
const bodySchema = z.looseObject({ type: z.string(), timestamp: z.string(), data: z.looseObject({}) });

describe('recipes that go elsewhere', () => {
  let harness: RecipeHarness;
  let folder: TemporaryFolder;
  let taker: Awaited<ReturnType<typeof startTaker>>;

  beforeAll(async () => {
    [folder, taker] = await Promise.all([makeTemporaryFolder(), startTaker()]);
    const { url } = taker;
    const secret = `whsec_${key.toString('base64')}`;
    harness = await openRecipeHarness({
      recipes: {
        forward: { use: 'http-forward', with: { url, secret, allow: 'private' } },
        failures: {
          use: 'http-forward',
          when: { event: 'meeting.failed' },
          with: { url, secret, allow: 'private' },
        },
        guarded: { use: 'http-forward', with: { url: 'https://127.0.0.1:1/', secret } },
        archive: {
          use: 'archive-export',
          with: { folder: folder.path, format: ['md', 'pdf'], tags: ['Archived'], createTags: true },
        },
      },
    });
  });
  afterAll(async () => {
    await harness.close();
    taker.server.close();
    folder.remove();
  });

  it('http-forward posts the meeting, signed as Standard Webhooks says', async () => {
    const meetingId = await harness.hold('forward');
    expect(taker.arrivals).toHaveLength(1);
    const { headers, body } = taker.arrivals[0] ?? expect.fail('nothing arrived');
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
    // Made here, by the specification's rule: https://www.standardwebhooks.com
    const digest = createHmac('sha256', key).update([id, timestamp, body].join('.')).digest('base64');
    expect(signature).toBe(`v1,${digest}`);
    expect(headers['content-type']).toBe('application/json');
    const { type, data } = bodySchema.parse(JSON.parse(body));
    expect(type).toBe('meeting.completed');
    const text = JSON.stringify(data);
    expect(text).toContain(meetingId);
    expect(text).toContain('Write the help page about permissions');
    expect(text).not.toContain('@example.com');
    expect(text).not.toContain('I want to leave this room');
  });

  it('http-forward posts a failed meeting where its conditions ask for it', async () => {
    taker.arrivals.length = 0;
    await harness.fail(await harness.record('forward', 'Launch'), 'no sound');
    expect(taker.arrivals).toEqual([]);
    const meetingId = await harness.record('failures', 'Launch');
    await harness.fail(meetingId, 'no sound');
    expect(taker.arrivals.map(({ body }) => bodySchema.parse(JSON.parse(body)))).toEqual([
      {
        type: 'meeting.failed',
        timestamp: expect.stringMatching(/^20/),
        data: { version: 1, meeting_id: meetingId, title: 'Launch', reason: 'no sound' },
      },
    ]);
  });

  it('http-forward goes nowhere near this machine unless that is meant', async () => {
    await harness.hold('guarded');
    expect(taker.arrivals).toHaveLength(1);
    expect(harness.steps.at(-1)).toMatchObject({ kind: 'effect_failed', recipe: 'guarded' });
  });

  it('archive-export puts the files into the folder and tags the meeting', async () => {
    const meetingId = await harness.hold('archive');
    const names = readdirSync(folder.path).toSorted();
    expect(names.map((name) => name.split('.').at(-1))).toEqual(['md', 'pdf']);
    const [markdown = '', pdf = ''] = names;
    expect(markdown).toContain('Launch');
    expect(readFileSync(`${folder.path}/${markdown}`, 'utf8')).toContain(
      'Write the help page about permissions',
    );
    expect(readFileSync(`${folder.path}/${pdf}`).subarray(0, 5).toString()).toBe('%PDF-');
    const answer = await harness.client.reports.get(meetingId);
    expect(answer.ready && answer.report.tags).toEqual(['Archived']);
  });
});
