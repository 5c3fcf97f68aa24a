import type { Backend } from './backend.ts';
import { emptyPostgresNamespace } from './postgres/empty-postgres-namespace.ts';
import { emptyRedisNamespace } from './redis/empty-redis-namespace.ts';

/**
 * Removes everything that is stored in this backend's namespace: jobs, marks, refusals, and what the
 * recipes keep there. An inbox or a queue that is open goes on working; a ledger must be opened after it.
 */
export async function emptyNamespace(backend: Backend): Promise<void> {
  await (backend.kind === 'redis' ? emptyRedisNamespace(backend) : emptyPostgresNamespace(backend));
}
