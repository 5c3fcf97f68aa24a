import type { Backend } from './backend.ts';
import { openEmbeddedBackend } from './embedded/embedded-backend.ts';
import type { Log } from './log.ts';
import { emptyPostgresNamespace, openPostgresBackend } from './postgres/postgres-backend.ts';
import { parseQueueUrl } from './queue-url.ts';
import { emptyRedisNamespace, openRedisBackend } from './redis/redis-backend.ts';

export interface OpenBackendOptions {
  /** Keeps several installations on one store apart: lower-case letters, digits and `_`. Default `aftermeet`. */
  readonly namespace?: string;
  readonly log: Log;
  /** Gives up waiting for a store that does not answer. */
  readonly signal?: AbortSignal;
}

/**
 * Opens the store behind a queue address and makes its tables. Rejects with one clear error when the
 * address is wrong or the store does not answer within seconds; the error never holds a password.
 */
export async function openBackend(queueUrl: string, options: OpenBackendOptions): Promise<Backend> {
  const { namespace = 'aftermeet', log, signal } = options;
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(namespace)) {
    throw new Error(
      `the queue's namespace is ${JSON.stringify(namespace)}: expected 1 to 40 lower-case letters, digits and _`,
    );
  }
  const address = parseQueueUrl(queueUrl);
  if (!address.ok) throw new Error(`the queue address is wrong: ${address.problem}`);
  signal?.throwIfAborted();
  if (address.kind === 'redis') return await openRedisBackend(address, { namespace, log });
  if (address.kind === 'postgres') return await openPostgresBackend(address, { namespace, log });
  return await openEmbeddedBackend(address.directory, { namespace, log, signal });
}

/**
 * Removes all data of this backend's namespace: jobs, dedupe keys, refusals and the data of the recipes. Open inboxes and
 * queues continue to work; a ledger must be opened afterwards.
 */
export async function emptyNamespace(backend: Backend): Promise<void> {
  await (backend.kind === 'redis' ? emptyRedisNamespace(backend) : emptyPostgresNamespace(backend));
}
