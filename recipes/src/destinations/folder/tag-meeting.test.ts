import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import type { Preparation, PreparedSend } from '../../engine/prepared-send.ts';
import { takePrepared } from '../../testing/bring-to-end.ts';
import { useService } from '../../testing/use-service.ts';
import { openFolder } from './save-export.ts';

const service = useService();
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aftermeet-tagged-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

function prepare(tags: readonly string[], mayCreateTags = false): Promise<Preparation> {
  const { client, meetingId } = service();
  const input = { meetingId, format: 'md' } as const;
  const order = { input, folder, name: 'sync.md', edition: 'a1', tags, mayCreateTags };
  return openFolder(30_000, client).prepare(order, { effectKey: 'e1', target: 'md#1' });
}

async function ship(tags: readonly string[], mayCreateTags = false): Promise<PreparedSend> {
  return takePrepared(await prepare(tags, mayCreateTags));
}

it('tags the meeting once its file is there, whatever the case of the name', async () => {
  const { client } = service();
  await client.tags.create({ name: 'Filed' });
  expect(await (await ship(['filed', 'Done'], true)).send()).toMatchObject({ result: 'sent' });
  expect((await service().readDigest()).tags).toEqual(expect.arrayContaining(['Filed', 'Done']));
  expect((await client.tags.list()).items.filter(({ name }) => name.toLowerCase() === 'filed')).toHaveLength(
    1,
  );
});

it('fetches nothing when a tag is not there and may not be made', async () => {
  expect(await prepare(['never heard of'])).toEqual({
    result: 'permanent',
    cause: 'the workspace has no tag of this name: create it there, or say createTags: true',
  });
  expect(await readdir(folder)).toEqual([]);
});

it('finds a tag that was made in doubt, or by another effect at the same moment', async () => {
  service().sandbox.faults.add({ kind: 'status', status: 409, on: 'tags.create' });
  expect(await prepare(['Done'], true)).toMatchObject({ result: 'not_sent_retry' });
  service().sandbox.faults.add({ kind: 'drop_after', on: 'tags.create' });
  expect(await prepare(['Done'], true)).toMatchObject({ result: 'not_sent_retry' });
  expect(await (await ship(['Done'])).send()).toMatchObject({ result: 'sent' });
});

it('tags later what could not be tagged at once', async () => {
  const startMs = Date.now();
  const { sandbox, client } = service();
  await client.tags.create({ name: 'Filed' });
  sandbox.faults.add({ kind: 'status', status: 503, on: 'tags.attach' });
  const prepared = await ship(['Filed']);
  expect(await prepared.send()).toEqual({
    result: 'unknown',
    cause: 'the file is there, and its tags cannot be attached: server (503)',
    contact: 'silent',
  });
  const probe = await prepared.probe(startMs);
  expect(probe).toMatchObject({ result: 'begun' });
  const begun = probe.result === 'begun' ? probe.reference : '';
  expect(await prepared.update?.(begun)).toEqual({ result: 'sent', reference: begun });
  expect((await service().readDigest()).tags).toContain('Filed');
});
