import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

import { makeTemporaryFolder, type TemporaryFolder } from '@aftermeet/test/support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { type Received, startReceiver, stopReceivers } from '../../../recipes/src/testing/start-receiver.ts';
import { openRecipeHarness, type RecipeHarness } from './recipe-harness.ts';

const key = Buffer.from('0123456789abcdef0123456789abcdef');
const bodySchema = z.looseObject({ type: z.string(), timestamp: z.string(), data: z.looseObject({}) });

describe('recipes that go elsewhere', () => {
  let harness: RecipeHarness;
  let folder: TemporaryFolder;
  let received: readonly Received[];

  beforeAll(async () => {
    folder = await makeTemporaryFolder();
    const receiver = await startReceiver((_request, response) => response.writeHead(204).end());
    ({ received } = receiver);
    const url = `http://127.0.0.1:${receiver.port}/meetings`;
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
    await stopReceivers();
    folder.remove();
  });

  it('http-forward posts the meeting, signed as Standard Webhooks says', async () => {
    const meetingId = await harness.hold('forward');
    expect(received).toHaveLength(1);
    const { headers, body } = received[0] ?? expect.fail('nothing arrived');
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
    const before = received.length;
    await harness.fail(await harness.record('forward', 'Launch'), 'no sound');
    expect(received).toHaveLength(before);
    const meetingId = await harness.record('failures', 'Launch');
    await harness.fail(meetingId, 'no sound');
    expect(received.slice(before).map(({ body }) => bodySchema.parse(JSON.parse(body)))).toEqual([
      {
        type: 'meeting.failed',
        timestamp: expect.stringMatching(/^20/),
        data: { version: 1, meeting_id: meetingId, title: 'Launch', reason: 'no sound' },
      },
    ]);
  });

  it('http-forward goes nowhere near this machine unless that is meant', async () => {
    const before = received.length;
    await harness.hold('guarded');
    expect(received).toHaveLength(before);
    expect(harness.steps.at(-1)).toMatchObject({ kind: 'effect_failed', recipe: 'guarded' });
  });

  it('archive-export puts the files into the folder and tags the meeting', async () => {
    // Another program makes the tag at the same moment; the file goes out at the next try.
    harness.sandbox.faults.add({ kind: 'status', status: 409, on: 'tags.create' });
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
