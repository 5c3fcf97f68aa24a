import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import {
  makeTemporaryFolder,
  openTestStore,
  type TemporaryFolder,
  type TestStore,
} from '@aftermeet/test/support';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { PostgresBackend } from '../backend.ts';
import { createInbox } from '../inbox.ts';
import { createJobQueue } from '../job-queue.ts';
import { silentLog as log } from '../log.ts';
import { openBackend } from '../open-backend.ts';
import { withPostgresClient } from '../postgres/postgres-backend.ts';
import { makeEffect } from '../testing/make-effect.ts';
import { checkBackup, restoreBackup } from './restore-backup.ts';
import { writeBackup } from './write-backup.ts';

const options = { release: '0.1.0', nowMs: Date.UTC(2026, 10, 28, 12) };

/** Ends of lines that JSON leaves as they are, and what a shell or SQL would take for more than text. */
const TITLE = 'Zwei\u2028Zeilen\u2029 "und" \\n eine \u{1F600} \' $1';

describe('a backup of an embedded store', () => {
  let folder: TemporaryFolder;
  let source: TestStore;
  let backend: PostgresBackend;
  let target: string;

  async function open(queueUrl: string): Promise<PostgresBackend> {
    const opened = await openBackend(queueUrl, { log });
    if (opened.kind !== 'postgres') throw new Error('not a PostgreSQL');
    return opened;
  }

  /** All rows of all tables, as the server prints them. */
  async function readAll(of: PostgresBackend): Promise<Record<string, readonly string[]>> {
    return await withPostgresClient(of.poolConfig('work'), async (client) => {
      const { rows } = await client.query<{ table: string }>(
        `select format('%I.%I', schemaname, tablename) as table from pg_tables
          where schemaname in ('aftermeet', 'aftermeet_queue') and tablename <> 'migration' order by 1`,
      );
      const all: Record<string, readonly string[]> = {};
      for (const { table } of rows) {
        const read = await client.query<{ line: string }>(
          `select t::text as line from ${table} as t order by 1`,
        );
        all[table] = read.rows.map(({ line }) => line);
      }
      return all;
    });
  }

  beforeEach(async () => {
    folder = await makeTemporaryFolder();
    source = await openTestStore('embedded');
    backend = await open(source.queueUrl);
    target = path.join(folder.path, 'backups/monday');
  });
  afterEach(async () => {
    await backend.close();
    await source.dispose();
    folder.remove();
  });

  async function fill(): Promise<void> {
    const queue = await createJobQueue(backend);
    await queue.addEffects(
      Array.from({ length: 120 }, (_, index) => ({
        job: { ...makeEffect(`effect-${index}`), target: TITLE },
      })),
    );
    await queue.close();
    const inbox = await createInbox(backend, { log });
    const job = { endpoint: 'default', receivedAt: '2026-11-28T11:59:00.000Z', body: TITLE };
    await inbox.accept({ jobId: 'delivery', job, keepSeconds: 600 });
    const { endpoint, receivedAt } = job;
    await inbox.recordRefusal({ endpoint, receivedAt, reason: 'no JSON', bytes: 2, bodySha256: 'aa' });
    await inbox.close();
  }

  it('restores every row and goes on with its numbers', async () => {
    await fill();
    const manifest = await writeBackup(backend, target, options);
    expect(manifest).toMatchObject({ release: '0.1.0', createdAt: '2026-11-28T12:00:00.000Z', version: 1 });
    expect(manifest.tables.find(({ name }) => name === 'job')).toMatchObject({ rows: 121 });
    const before = await readAll(backend);
    await fill();

    const other = await openTestStore('embedded');
    const restored = await open(other.queueUrl);
    await restoreBackup(restored, target, await checkBackup(target), {});
    expect(await readAll(restored)).toEqual(before);
    // A number that was given out would break a unique index, or the order.
    const queue = await createJobQueue(restored);
    await queue.addEffects([{ job: makeEffect('after') }]);
    expect((await queue.countEffects('slack')).waiting).toBe(121);
    await queue.close();
    const inbox = await createInbox(restored, { log });
    const refusal = { endpoint: 'default', receivedAt: '2026-11-28T12:00:00.000Z', reason: 'later' };
    await inbox.recordRefusal({ ...refusal, bytes: 2, bodySha256: 'bb' });
    expect((await inbox.listRefusals(10)).map(({ reason }) => reason)).toEqual(['later', 'no JSON']);
    await inbox.close();
    await restored.close();
    await other.dispose();
  });

  it('is readable by its owner alone, whatever the umask', async () => {
    const umask = process.umask(0o277);
    try {
      await writeBackup(backend, target, options);
    } finally {
      process.umask(umask);
    }
    expect(statSync(target).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(target)) {
      expect(statSync(path.join(target, name)).mode & 0o077, name).toBe(0);
    }
    expect(readdirSync(path.dirname(target))).toEqual(['monday']);
  });

  it('goes to an empty folder, and never over what is there', async () => {
    mkdirSync(target, { recursive: true });
    await writeBackup(backend, target, options);
    await expect(writeBackup(backend, target, options)).rejects.toMatchObject({ code: 'folder_not_empty' });
    writeFileSync(path.join(folder.path, 'file'), '');
    await expect(writeBackup(backend, path.join(folder.path, 'file'), options)).rejects.toMatchObject({
      code: 'folder_not_empty',
    });
  });

  it('leaves nothing when it is stopped', async () => {
    await fill();
    const signal = AbortSignal.abort();
    await expect(writeBackup(backend, target, { ...options, signal })).rejects.toThrow('aborted');
    expect(readdirSync(path.dirname(target))).toEqual([]);
  });

  describe('that was written', () => {
    beforeEach(async () => {
      await fill();
      await writeBackup(backend, target, options);
    });

    const edit = (change: (text: string) => string): void => {
      const file = path.join(target, 'manifest.json');
      writeFileSync(file, change(readFileSync(file, 'utf8')));
    };

    it.each([
      ['not_a_backup', 'without its manifest', () => edit(() => '')],
      ['not_a_backup', 'with another manifest', () => edit((text) => text.replace('"rows"', '"lines"'))],
      [
        'not_a_backup',
        'that names a file elsewhere',
        () => edit((text) => text.replace('"job"', '"../job"')),
      ],
      [
        'newer_format',
        'of a newer release',
        () => edit((text) => text.replace('"version": 1', '"version": 2')),
      ],
      [
        'other_release',
        'with other tables of the queue',
        () => edit((text) => text.replace(/"queueVersion": \d+/, '"queueVersion": 1')),
      ],
      ['damaged', 'with a changed file', () => appendFileSync(path.join(target, 'queue-job.ndjson'), ' ')],
    ])('is refused as %s %s', async (code, _what, change) => {
      change();
      await expect(checkBackup(target)).rejects.toMatchObject({ code });
    });

    it('is refused by a store that has data, is in use, or lacks a column', async () => {
      const manifest = await checkBackup(target);
      await expect(restoreBackup(backend, target, manifest, {})).rejects.toMatchObject({
        code: 'store_not_empty',
      });
      const other = await openTestStore('embedded');
      const restored = await open(other.queueUrl);
      const [first, ...rest] = manifest.tables;
      if (first === undefined) throw new Error('no table');
      const wider = { ...manifest, tables: [{ ...first, columns: [...first.columns, 'later'] }, ...rest] };
      await expect(restoreBackup(restored, target, wider, {})).rejects.toMatchObject({
        code: 'other_release',
      });
      const receiver = await open(other.queueUrl);
      await expect(restoreBackup(restored, target, manifest, {})).rejects.toMatchObject({
        code: 'store_in_use',
      });
      await receiver.close();
      await restored.close();
      await other.dispose();
    });

    it('is restored as a whole or not at all', async () => {
      const other = await openTestStore('embedded');
      const restored = await open(other.queueUrl);
      const before = await readAll(restored);
      const signal = AbortSignal.abort();
      const manifest = await checkBackup(target);
      await expect(restoreBackup(restored, target, manifest, { signal })).rejects.toThrow('aborted');
      expect(await readAll(restored)).toEqual(before);
      await restored.close();
      await other.dispose();
    });
  });
});
