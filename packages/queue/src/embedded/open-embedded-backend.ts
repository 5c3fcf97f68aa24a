import path from 'node:path';

import type { PostgresBackend } from '../backend.ts';
import type { Log } from '../log.ts';
import { poolSettings } from '../postgres/pool-config.ts';
import { prepareSchemas } from '../postgres/prepare-schemas.ts';
import { withClient } from '../postgres/with-client.ts';
import { prepareBinaries } from './binaries.ts';
import type { Transport } from './cluster.ts';
import { findServerHome } from './server-home.ts';
import { joinServer } from './server-membership.ts';

export interface EmbeddedOptions {
  readonly namespace: string;
  readonly log: Log;
  readonly signal?: AbortSignal | undefined;
  /** Windows has no folder that a socket could hide in. */
  readonly transport?: Transport;
}

/**
 * A PostgreSQL that we start ourselves in `directory`. Several processes may share one directory: the
 * first starts the server, it outlives a starter that is killed, and the last one that closes stops it.
 */
export async function openEmbeddedBackend(
  directory: string,
  { namespace, log, signal, transport = process.platform === 'win32' ? 'tcp' : 'unix' }: EmbeddedOptions,
): Promise<PostgresBackend> {
  const home = await findServerHome(path.resolve(directory), log);
  const binaries = await prepareBinaries(home);
  const membership = await joinServer({ home, binaries, transport, signal }, log);
  const poolConfig: PostgresBackend['poolConfig'] = (use) => ({
    ...poolSettings(use),
    ...membership.address(),
  });
  try {
    await withClient(poolConfig('work'), (client) => prepareSchemas(client, namespace));
  } catch (error) {
    await membership.close();
    throw error;
  }
  return {
    kind: 'postgres',
    name: `embedded:${home.directory}`,
    namespace,
    poolConfig,
    close: () => membership.close(),
  };
}
