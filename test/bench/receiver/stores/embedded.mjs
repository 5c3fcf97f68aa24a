// The embedded PostgreSQL in a temporary folder, started by this process and moved to a core of its own.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';

import { openBackend, silentLog } from '../../../../packages/queue/dist/index.js';
import { atExit } from '../../at-exit.mjs';
import { moveToCores } from '../../cores.mjs';
import { listFamily, readCpuMicros } from '../processes.mjs';

export async function startEmbedded(cores) {
  const folder = mkdtempSync(join(tmpdir(), 'aftermeet-bench-'));
  // As root the server runs as nobody, who must be able to enter.
  chmodSync(folder, 0o755);
  const url = `embedded:${folder}/queue`;
  const backend = await openBackend(url, { namespace: 'keeper', log: silentLog });
  const pid = Number(readFileSync(join(folder, 'queue/cluster/data/postmaster.pid'), 'utf8').split('\n')[0]);
  // Whatever it starts from now on stays there as well.
  moveToCores(listFamily(pid), cores);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const keep = atExit(() => {
    // It would outlive this process.
    process.kill(pid, 'SIGQUIT');
    remove();
  });
  const { host, port, user, database, password } = backend.poolConfig('work');
  const address = { host, port, user, database, password };
  const client = new pg.Client({ ...address, application_name: 'bench' });
  client.on('error', () => {});
  await client.connect();

  return {
    name: 'embedded PostgreSQL',
    url,
    client,
    /** Of the server and of all its processes, those that have ended included. */
    readCpuMicros: () => readCpuMicros(listFamily(pid)),
    /** Takes out what the namespaces of earlier measurements hold. */
    async empty() {
      const { rows } = await client.query(
        `select nspname as name from pg_namespace where nspname ~ '^b[0-9]+(_queue)?$'`,
      );
      for (const { name } of rows) await client.query(`drop schema "${name}" cascade`);
      await client.query('checkpoint');
    },
    settle: () => client.query('checkpoint'),
    ours: (namespace) => ({ queueUrl: url, namespace }),
    obvious: (namespace) => ({ postgres: address, namespace }),
    async stop() {
      keep();
      await client.end();
      await backend.close();
      remove();
    },
  };
}
