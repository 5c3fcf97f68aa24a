import {
  describeWithProgram,
  openTestStore,
  type PgBouncer,
  startPgBouncer,
  type TestStore,
} from '@aftermeet/test/support';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

import { createInbox, openBackend, silentLog } from '../index.ts';
import { takeEvents } from '../testing/take-events.ts';

const log = silentLog;

const ignoring = { ignore_startup_parameters: 'options,statement_timeout' };

const dropsSettings =
  'a pooler is in between, such as PgBouncer, and a session does not get the settings of its start: ' +
  'use the server itself, or session mode as docs/stores.md has it';

const sharesSessions =
  'a pooler is in between, such as PgBouncer in transaction mode, and a connection has no session of its own: ' +
  'use session mode or the server itself';

describeWithProgram('pgbouncer', 'PgBouncer in between', () => {
  let store: TestStore;
  let pooler: PgBouncer | undefined;

  beforeAll(async () => {
    store = await openTestStore('postgres');
  });
  afterEach(async () => {
    await pooler?.stop();
    pooler = undefined;
  });
  afterAll(() => store.dispose());

  async function startPooler(settings: Readonly<Record<string, string>>): Promise<string> {
    pooler = await startPgBouncer(store.queueUrl, { default_pool_size: '50', ...settings });
    return pooler.url;
  }

  it.each(['session', 'transaction'])('is refused as it is installed, in %s mode', async (mode) => {
    const url = await startPooler({ pool_mode: mode });
    await expect(openBackend(url, { log })).rejects.toThrow(
      `PostgreSQL at ${url.replace('aftermeet@', '…@')} can't be used: ${dropsSettings} (08P01: unsupported startup parameter: `,
    );
  });

  it('is refused when it forgets the settings of a session', async () => {
    const url = await startPooler({ pool_mode: 'session', ...ignoring });
    await expect(openBackend(url, { log })).rejects.toThrow(dropsSettings);
  });

  it('is used in session mode where the database sets the schema', async () => {
    await setSearchPath('aftermeet_queue');
    const backend = await openBackend(await startPooler({ pool_mode: 'session', ...ignoring }), { log });
    const inbox = await createInbox(backend, { log });
    const worker = takeEvents(backend);
    const job = { endpoint: 'default', receivedAt: '2026-11-21T09:30:00.000Z', body: '{}' };
    const acceptance = { jobId: 'job-1', job, keepSeconds: 60, deliveryKey: 'wh_1' };
    expect(await inbox.accept(acceptance)).toEqual({ kind: 'accepted', isConflict: false });
    expect(await inbox.accept(acceptance)).toEqual({ kind: 'duplicate', isConflict: false });
    await expect.poll(() => worker.taken, { timeout: 10_000 }).toEqual(['job-1']);
    await worker.close();
    await inbox.close();
    await backend.close();
  });

  it.each([
    ['transaction', { default_pool_size: '50' }],
    ['transaction', { default_pool_size: '1' }],
    ['transaction', { min_pool_size: '3', server_round_robin: '1' }],
    ['statement', {}],
  ])('is refused in %s mode with %o', async (mode, settings) => {
    await setSearchPath('aftermeet_queue');
    const url = await startPooler({ pool_mode: mode, ...ignoring, ...settings });
    await expect(openBackend(url, { log })).rejects.toThrow(sharesSessions);
  });

  async function setSearchPath(schema: string): Promise<void> {
    const client = new pg.Client(store.queueUrl);
    await client.connect();
    const { rows } = await client.query<{ name: string }>('select quote_ident(current_database()) as name');
    await client.query(`alter database ${rows[0]?.name} set search_path = ${schema}`);
    await client.end();
  }
});
