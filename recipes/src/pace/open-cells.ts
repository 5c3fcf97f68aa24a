import type { Backend, Log } from '@aftermeet/queue';

import type { Cells } from './cells.ts';
import { openPostgresCells } from './postgres-cells.ts';
import { openRedisCells } from './redis-cells.ts';

/** Opens the cells in the store that keeps the jobs. */
export async function openCells(backend: Backend, log: Log): Promise<Cells> {
  if (backend.kind === 'redis') return openRedisCells(backend);
  return await openPostgresCells(backend, log);
}
