import type { Backend } from '@aftermeet/queue';

import type { Journal } from '../journal/journal.ts';
import { openPostgresJournal } from '../journal/postgres-journal.ts';
import { openRedisJournal } from '../journal/redis-journal.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openPostgresLedger } from '../ledger/postgres-ledger.ts';
import { openRedisLedger } from '../ledger/redis-ledger.ts';
import type { MeetingIndex } from '../meetings/meeting-index.ts';
import { openPostgresMeetingIndex } from '../meetings/postgres-meeting-index.ts';
import { openRedisMeetingIndex } from '../meetings/redis-meeting-index.ts';
import { type SharedStore, openPostgresSharedStore, openRedisSharedStore } from './shared-store.ts';

/** Opens the ledger in the store that keeps the jobs. */
export async function openLedger(
  backend: Backend,
  { clock = backend.clock.now }: { readonly clock?: () => number } = {},
): Promise<Ledger> {
  if (backend.kind === 'redis') return openRedisLedger(backend, clock);
  return await openPostgresLedger(backend);
}

/** Opens the index of meetings in the store that keeps the jobs. */
export async function openMeetingIndex(backend: Backend): Promise<MeetingIndex> {
  if (backend.kind === 'redis') return openRedisMeetingIndex(backend);
  return await openPostgresMeetingIndex(backend);
}

/** Opens the journal in the store that keeps the jobs. */
export async function openJournal(backend: Backend): Promise<Journal> {
  if (backend.kind === 'redis') return openRedisJournal(backend);
  return await openPostgresJournal(backend);
}

/** Opens the shared store in the store that keeps the jobs. */
export async function openSharedStore(backend: Backend): Promise<SharedStore> {
  if (backend.kind === 'redis') return openRedisSharedStore(backend);
  return await openPostgresSharedStore(backend);
}
