import { access, mkdir } from 'node:fs/promises';
import path from 'node:path';

import { checkEmbeddedSupport, openBackend, silentLog } from '@aftermeet/queue';
import type { TestProject } from 'vitest/node';

import { copyClusterTemplate } from './cluster-template.ts';
import { findRedisServer, startRedisServer } from './redis-server.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';
import type { TestServer, TestServers } from './test-servers.ts';

type Started = { readonly server: TestServer; readonly stop: () => Promise<void> };

/**
 * Brings up what the suites need, once for all of them, and takes it down afterwards.
 * With AFTERMEET_REQUIRE_ALL=1 a missing server fails the run instead of skipping suites.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [redis, postgres] = [await startRedis(), await preparePostgres()];
  const servers: TestServers = { redis: redis.server, postgres: postgres.server };
  if (process.env['AFTERMEET_REQUIRE_ALL'] === '1') requireAll(servers);
  project.provide('testServers', servers);
  return async () => {
    await redis.stop();
    await postgres.stop();
  };
}

async function startRedis(): Promise<Started> {
  const given = process.env['TEST_REDIS_URL'];
  if (given !== undefined && given !== '') {
    return { server: { kind: 'there', address: given }, stop: () => Promise.resolve() };
  }
  if (findRedisServer() === undefined) {
    const reason = 'no redis-server or valkey-server on the PATH';
    return {
      server: { kind: 'missing', reason, command: 'apt-get install redis-server' },
      stop: () => Promise.resolve(),
    };
  }
  const redis = await startRedisServer();
  return { server: { kind: 'there', address: redis.url }, stop: () => redis.stop() };
}

async function preparePostgres(): Promise<Started> {
  const support = checkEmbeddedSupport();
  if (!support.ok) {
    return {
      server: { kind: 'missing', reason: support.problem, command: 'npm ci --include=optional' },
      stop: () => Promise.resolve(),
    };
  }
  const folder = await makeTemporaryFolder({ inMemory: true });
  const directory = path.join(folder.path, 'pg');
  await mkdir(directory);
  await copyClusterTemplate(directory);
  return {
    server: { kind: 'there', address: directory },
    stop: async () => {
      if (await exists(path.join(directory, 'cluster/data/postmaster.pid'))) {
        // The tests' processes are gone: we are the last one, which stops the server.
        const backend = await openBackend(`embedded:${directory}`, { log: silentLog });
        await backend.close();
      }
      folder.remove();
    },
  };
}

function requireAll(servers: TestServers): void {
  for (const [name, server] of Object.entries<TestServer>({ ...servers })) {
    if (server.kind === 'missing') {
      throw new Error(
        `${name} is required by AFTERMEET_REQUIRE_ALL=1: ${server.reason}. Run: ${server.command}`,
      );
    }
  }
}

async function exists(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  );
}
