import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';

import { createSandbox } from './create-sandbox.ts';
import { DataFolderError, openDataFolder } from './data-folder.ts';
import { createCell, createCollection, createStore } from './store.ts';
import { makeTestFolder } from './testing/files.ts';
import { startTestSandbox } from './testing/sandbox.ts';

let root: string;

beforeEach(() => {
  root = makeTestFolder();
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const statePath = (): string => join(root, 'state.json');

describe('a data folder', () => {
  it('is made with the folders above it, for this user only', async () => {
    const data = join(root, 'a', 'b');
    const { sandbox } = await startTestSandbox({ data });
    await sandbox.close();
    expect(statSync(data).mode & 0o777).toBe(0o700);
    expect(statSync(join(data, 'state.json')).mode & 0o777).toBe(0o600);
  });

  it('has the state soon after a change, without an orderly end', async () => {
    const { sandbox, holdMeeting } = await startTestSandbox({ data: root });
    const meetingId = await holdMeeting({ title: 'Plans' });
    await vi.waitFor(() => {
      expect(readFileSync(statePath(), 'utf8')).toContain(meetingId);
    });
    const copy = join(root, 'copy');
    mkdirSync(copy);
    writeFileSync(join(copy, 'state.json'), readFileSync(statePath()));
    await sandbox.close();
    const other = await startTestSandbox({ data: copy });
    expect((await other.call('GET', `/api/meeting/status?meeting_id=${meetingId}`)).body).toBe('new');
    await other.sandbox.close();
  });

  it('keeps meetings, tags, options, key, plan and time, and not the faults', async () => {
    const first = await startTestSandbox({ data: root, transitions: 'clock' });
    await first.call('POST', '/api/workspaces/active/tags', { name: 'Launch' });
    const meetingId = await first.holdMeeting({ title: 'Plans' });
    first.sandbox.options.set({ statusAnswer: 'json' });
    first.sandbox.changeKey('another_key');
    first.sandbox.faults.add({ kind: 'reset' });
    first.sandbox.clock.advance(3_600_000);
    await first.sandbox.close();
    const { sandbox } = await startTestSandbox({ data: root });
    expect(sandbox.clock.now()).toBe(Date.parse('2026-07-07T13:00:00Z'));
    expect(sandbox.options.get().statusAnswer).toBe('json');
    expect([sandbox.key(), sandbox.faults.list()]).toEqual([undefined, []]);
    expect(sandbox.completeMeeting(meetingId)).toMatchObject({ status: 'new' });
    await sandbox.close();
  });

  it('is not written by a sandbox that does not listen', async () => {
    const sandbox = createSandbox({ data: root, apiKey: 'mine' });
    sandbox.seed({ meetings: 1 });
    await sandbox.close();
    expect(existsSync(statePath())).toBe(false);
  });

  it('says on closing that the state cannot be written', async () => {
    const { sandbox } = await startTestSandbox({ data: root });
    rmSync(root, { recursive: true });
    await expect(sandbox.close()).rejects.toThrow(DataFolderError);
  });
});

describe('refused', () => {
  const open = () => openDataFolder(root);

  it.each([
    ['other.txt', 'x', 'holds other.txt and no state of a sandbox'],
    ['state.json', 'nonsense', 'is not the state of a sandbox'],
    ['state.json', '{}', 'is not the state of a sandbox'],
    ['state.json', '{"format":"aftermeet-sandbox","version":3,"state":{}}', 'by another version'],
  ])('%s with %j: %s', (name, text, problem) => {
    writeFileSync(join(root, name), text);
    expect(open).toThrow(DataFolderError);
    expect(open).toThrow(problem);
    expect(readFileSync(join(root, name), 'utf8')).toBe(text);
  });

  it('a value that this version does not read', () => {
    const state = { meetings: [{ id: 7 }] };
    writeFileSync(statePath(), JSON.stringify({ format: 'aftermeet-sandbox', version: 2, state }));
    expect(() => createSandbox({ data: root })).toThrow('unknown form at meetings.id');
  });

  it.skipIf(process.getuid?.() === 0)('a folder without permission', () => {
    chmodSync(root, 0o500);
    expect(open).toThrow('EACCES');
    chmodSync(root, 0o700);
  });

  it('a place without folders', () => {
    expect(() => openDataFolder('/proc/none/here')).toThrow(DataFolderError);
    writeFileSync(join(root, 'file'), '');
    expect(() => openDataFolder(join(root, 'file', 'x'))).toThrow('cannot be made');
  });
});

describe('a collection', () => {
  it('drops the oldest over its limit, keeps the order, and is saved', () => {
    const changed = vi.fn<() => void>();
    const store = createStore({}, changed);
    const dropped: string[] = [];
    const settings = { name: 'letters', schema: z.object({ id: z.string() }), limit: 2 };
    const letters = createCollection({
      ...settings,
      store,
      keyOf: ({ id }) => id,
      onDropped: ({ id }) => dropped.push(id),
    });
    for (const id of ['a', 'b', 'a', 'c']) letters.put({ id });
    expect([letters.list(), dropped]).toEqual([[{ id: 'b' }, { id: 'c' }], ['a']]);
    letters.remove('none');
    expect(changed).toHaveBeenCalledTimes(4);
    const again = createCollection({ ...settings, store: createStore(store.save()), keyOf: ({ id }) => id });
    expect([again.list(), again.find('c'), again.count()]).toEqual([letters.list(), { id: 'c' }, 2]);
  });

  it('of one value goes back to the first one', () => {
    const store = createStore();
    const count = createCell(store, 'count', z.number(), 0);
    count.set(3);
    expect(createCell(createStore(store.save()), 'count', z.number(), 0).get()).toBe(3);
    count.reset();
    expect(count.get()).toBe(0);
  });
});
