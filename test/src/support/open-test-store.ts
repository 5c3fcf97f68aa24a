import { randomBytes } from 'node:crypto';

import { type Backend, openBackend, silentLog } from '@aftermeet/queue';
import { Redis } from 'ioredis';
import pg from 'pg';
import { inject } from 'vitest';

import { copyClusterTemplate } from './cluster-template.ts';
import type { StoreKind } from './describe-store.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';
import type { TestServer } from './test-servers.ts';

/** A store that is a test's own. */
export interface TestStore {
  readonly queueUrl: string;
  /** Removes it with its content, even if it is still in use. */
  dispose(): Promise<void>;
}

/** Opens an empty store of the asked kind: a Redis database, a PostgreSQL database, or a folder. */
export async function openTestStore(kind: StoreKind): Promise<TestStore> {
  if (kind === 'redis') return await openRedisDatabase(requireAddress(inject('testServers').redis));
  if (kind === 'postgres') return await openPostgresDatabase(requireAddress(inject('testServers').postgres));
  const folder = await makeTemporaryFolder({ inMemory: true });
  await copyClusterTemplate(folder.path);
  return {
    queueUrl: `embedded:${folder.path}`,
    dispose: () => Promise.resolve(folder.remove()),
  };
}

function requireAddress(server: TestServer): string {
  if (server.kind === 'there') return server.address;
  throw new Error(`this test needs a server that is not there: ${server.reason}. Run: ${server.command}`);
}

/** Takes a database that is empty and that no other test has taken; the mark lies in database 0. */
async function openRedisDatabase(url: string): Promise<TestStore> {
  const registry = new Redis(url);
  const size = Number((await registry.config('GET', 'databases'))[1]);
  for (let index = 1; index < size; index++) {
    const mark = `aftermeet-test:database:${index}`;
    if ((await registry.set(mark, process.pid, 'EX', 600, 'NX')) === null) continue;
    const database = new Redis(url, { db: index });
    if ((await database.dbsize()) > 0) {
      database.disconnect();
      continue;
    }
    return {
      queueUrl: `${url.replace(/\/\d*$/, '')}/${index}`,
      dispose: async () => {
        await database.flushdb();
        database.disconnect();
        await registry.del(mark);
        registry.disconnect();
      },
    };
  }
  registry.disconnect();
  throw new Error(`no empty database among the ${size} of the Redis server`);
}

/** Starts the shared server when this is its first use in the run. */
async function openPostgresDatabase(directory: string): Promise<TestStore> {
  const server = await openBackend(`embedded:${directory}`, { log: silentLog });
  const name = `test_${randomBytes(6).toString('hex')}`;
  const { host, password } = await runSql(server, `create database ${name}`);
  return {
    queueUrl: `postgres://aftermeet:${encodeURIComponent(password)}@localhost/${name}?host=${encodeURIComponent(host)}`,
    dispose: async () => {
      await runSql(server, `drop database if exists ${name} with (force)`);
      await server.close();
    },
  };
}

async function runSql(
  server: Backend,
  sql: string,
): Promise<{ readonly host: string; readonly password: string }> {
  if (server.kind !== 'postgres') throw new Error('the embedded server is a PostgreSQL');
  const client = new pg.Client(server.poolConfig('work'));
  await client.connect();
  try {
    await client.query(sql);
    return { host: client.host, password: client.password ?? '' };
  } finally {
    await client.end();
  }
}
