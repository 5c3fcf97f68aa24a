import type { Backend, Log } from '@aftermeet/queue';

import type { Ledger } from './ledger.ts';
import { openPostgresLedger } from './postgres-ledger.ts';
import { openRedisLedger } from './redis-ledger.ts';

/** Opens the ledger in the store that keeps the jobs. */
export async function openLedger(backend: Backend, log: Log): Promise<Ledger> {
  if (backend.kind === 'redis') return openRedisLedger(backend);
  return openPostgresLedger(backend, (error) => {
    log.warn({ queue: backend.name, error: error.message }, 'an idle connection of the ledger was lost');
  });
}
