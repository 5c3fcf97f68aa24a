import { describeEachStore, openTestStore, startScript, type TestStore } from '@aftermeet/test/support';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';

import {
  type Backend,
  claimNamespace,
  emptyNamespace,
  type Log,
  openBackend,
  type PostgresBackend,
  silentLog,
} from './index.ts';

describeEachStore('the claim of a namespace', (kind) => {
  let store: TestStore;
  let backend: Backend;

  beforeAll(async () => {
    store = await openTestStore(kind);
  });
  afterAll(() => store.dispose());
  beforeEach(async () => {
    backend = await openBackend(store.queueUrl, { log: silentLog });
  });
  afterEach(() => backend.close());

  const claim = async (holder: string, log: Log = silentLog) => {
    const claiming = await claimNamespace(backend, { holder, log });
    return claiming.ok ? claiming.claim : claiming.holder;
  };

  /** For a claim that must be granted. */
  const take = async (holder: string) => {
    const granted = await claim(holder);
    if (typeof granted === 'string') throw new Error(`it is held by ${granted}`);
    return granted;
  };

  it('is granted to one process, which says who it is, until it closes', async () => {
    const first = await take('1@http://127.0.0.1:4010');
    expect(await claim('2')).toBe('1@http://127.0.0.1:4010');
    await first.describe('one');
    await emptyNamespace(backend);
    expect(await claim('2')).toBe('one');
    await first.close();
    await (await take('2')).close();
  });

  it('is granted to one of several that ask at once', async () => {
    const asked = await Promise.all(['a', 'b', 'c', 'd'].map((holder) => claim(holder)));
    const granted = asked.filter((each) => typeof each !== 'string');
    expect(granted).toHaveLength(1);
    for (const each of granted) await each.close();
  });

  it('ends with a killed process', async () => {
    const killed = await startScript('queue-process', [store.queueUrl]);
    await killed.nextLine('open');
    killed.tell('claim killed');
    expect(await killed.nextLine('claimed')).toBe('claimed true');
    expect(await claim('next')).toBe('killed');
    killed.kill('SIGKILL');
    await killed.ended;
    await (await take('next')).close();
  });

  it('does not concern another namespace', async () => {
    const first = await take('first');
    const other = await openBackend(store.queueUrl, { log: silentLog, namespace: 'other' });
    const second = await claimNamespace(other, { holder: 'second', log: silentLog });
    expect(second.ok).toBe(true);
    if (second.ok) await second.claim.close();
    await other.close();
    await first.close();
  });

  it('is taken again after the store has ended its session', async () => {
    const first = await take('first');
    const before = await listSessions(backend, 'first');
    await endSessions(backend, before);
    await expect
      .poll(async () => (await listSessions(backend, 'first')).filter((id) => !before.includes(id)))
      .toHaveLength(1);
    expect(await claim('second')).toBe('first');
    await first.close();
  });
});

describeEachStore(
  'the claim of a namespace without CLIENT LIST',
  (kind) => {
    it('is granted with a warning', async () => {
      const store = await openTestStore(kind);
      const backend = await openBackend(store.queueUrl, { log: silentLog });
      if (backend.kind !== 'redis') throw new Error('this store is a Redis');
      const admin = backend.connect('work');
      await admin.acl('SETUSER', 'claimer', 'on', '>claimer', '~*', '&*', '+@all', '-client|list');
      const warnings: string[] = [];
      const log: Log = { ...silentLog, warn: (_fields, text) => warnings.push(text) };
      const limited = await openBackend(store.queueUrl.replace('redis://', 'redis://claimer:claimer@'), {
        log: silentLog,
      });
      const claiming = await claimNamespace(limited, { holder: 'first', log });
      expect(claiming.ok).toBe(true);
      expect(warnings).toEqual([
        'this Redis does not show its connections: make sure that no other process uses this namespace',
      ]);
      if (claiming.ok) await claiming.claim.close();
      await limited.close();
      await admin.acl('DELUSER', 'claimer');
      admin.disconnect();
      await backend.close();
      await store.dispose();
    });
  },
  ['redis'],
);

/** The sessions that hold a claim. */
async function listSessions(backend: Backend, holder: string): Promise<readonly number[]> {
  if (backend.kind === 'postgres') {
    const sql = `select pid as id from pg_stat_activity join pg_locks using (pid)
      where application_name = $1 and locktype = 'advisory' and granted`;
    return (await queryPostgres(backend, sql, holder)).map(({ id }) => id);
  }
  const client = backend.connect('work');
  const list = String(await client.client('LIST'));
  client.disconnect();
  const name = ` name=aftermeet-claim:aftermeet:${holder} `;
  const lines = list.split('\n').filter((line) => line.includes(name));
  return lines.map((line) => Number(/^id=(\d+)/.exec(line)?.[1]));
}

async function endSessions(backend: Backend, ids: readonly number[]): Promise<void> {
  if (backend.kind === 'postgres') {
    await queryPostgres(backend, 'select pg_terminate_backend(id) from unnest($1::int[]) as id', ids);
    return;
  }
  const client = backend.connect('work');
  for (const id of ids) await client.client('KILL', 'ID', id);
  client.disconnect();
}

async function queryPostgres(
  backend: PostgresBackend,
  sql: string,
  parameter: unknown,
): Promise<readonly { readonly id: number }[]> {
  const client = new pg.Client(backend.poolConfig('work'));
  await client.connect();
  const { rows } = await client.query<{ id: number }>(sql, [parameter]);
  await client.end();
  return rows;
}
