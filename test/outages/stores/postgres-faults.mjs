import pg from 'pg';

import { continueFamily, stopFamily } from '../processes/processes.mjs';

/** Says one thing to a server, on a connection of its own. */
export async function ask(address, ...statements) {
  const client = new pg.Client(address);
  client.on('error', () => undefined); // The query that runs rejects as well.
  await client.connect();
  try {
    const answers = [];
    for (const statement of statements) answers.push((await client.query(statement)).rows[0]);
    return answers;
  } finally {
    await client.end();
  }
}

export const expectedSync = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };

export async function readSync(address) {
  const rows = await ask(
    address,
    ...[...Object.keys(expectedSync), 'wal_sync_method'].map((name) => `show ${name}`),
  );
  return Object.assign({}, ...rows);
}

/** What may happen to any PostgreSQL, given or embedded. */
export function listPostgresFaults({ address, findPostmaster }) {
  let holder;
  return [
    {
      name: 'store stopped',
      begin: () => stopFamily(findPostmaster()),
      end: () => continueFamily(findPostmaster()),
    },
    {
      name: 'store read-only',
      begin: async () => {
        await ask(
          address(),
          'alter system set default_transaction_read_only = on',
          'select pg_reload_conf()',
        );
        // Sessions take it over before their next statement.
        await untilSetting(address(), 'on');
      },
      end: () =>
        ask(
          address(),
          'set default_transaction_read_only = off',
          'alter system set default_transaction_read_only = off',
          'select pg_reload_conf()',
        ),
      canRead: true,
    },
    {
      name: 'store holds its answers',
      begin: async () => {
        holder = new pg.Client(address());
        holder.on('error', () => undefined);
        await holder.connect();
        await holder.query('begin');
        await holder.query('lock table aftermeet_queue.job in access exclusive mode');
      },
      // Whoever has given up must not leave a session behind that goes on waiting.
      inspect: async (judge) => {
        const { rows } = await holder.query(
          `select count(*)::integer as sessions,
                  count(*) filter (where wait_event_type = 'Lock'
                                     and clock_timestamp() - query_start > interval '950 ms')::integer as stuck
             from pg_stat_activity where application_name = 'aftermeet-accept'`,
        );
        judge.figure('sessions while the store held its answers', rows[0].sessions);
        judge.expect(
          rows[0].stuck === 0,
          `${rows[0].stuck} sessions wait for a lock longer than anybody listens`,
        );
      },
      end: async () => {
        await holder.query('rollback');
        await holder.end();
      },
      canRead: true,
      isReachable: true,
    },
  ];
}

async function untilSetting(address, wanted) {
  for (;;) {
    const [row] = await ask(address, 'show default_transaction_read_only');
    if (row.default_transaction_read_only === wanted) return;
  }
}
