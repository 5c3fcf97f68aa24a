import type { Backend, Log } from '@aftermeet/queue';

import type { Ledger } from './ledger.ts';
import { openPostgresLedger } from './postgres-ledger.ts';
import { openRedisLedger } from './redis-ledger.ts';

/** Opens the ledger in the store that keeps the jobs. */
export async function openLedger(
  backend: Backend,
  log: Log,
  clock: () => number = Date.now,
): Promise<Ledger> {
  if (backend.kind === 'redis') return openRedisLedger(backend, clock);
  return await openPostgresLedger(backend, log);
}
