import {
  type Backend,
  createJobQueue,
  type JobDesk,
  type JobQueue,
  type Log,
  openJobDesk,
} from '@aftermeet/queue';

import type { Ledger } from '../ledger/ledger.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import type { MeetingIndex } from '../meetings/meeting-index.ts';
import { openMeetingIndex } from '../meetings/open-meeting-index.ts';

/** What an operator works with: the jobs as they are kept, and what the ledger and the meeting index know. */
export interface OperatorTools {
  readonly desk: JobDesk;
  readonly queue: Pick<JobQueue, 'addEffects' | 'addEvent'>;
  readonly ledger: Ledger;
  readonly meetings: MeetingIndex;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** Opens everything that an operator needs of a store. Rejects when it can't be reached now. */
export async function openOperatorTools(
  backend: Backend,
  { log, clock = Date.now }: { readonly log: Log; readonly clock?: () => number },
): Promise<OperatorTools & { close(): Promise<void> }> {
  const opening = {
    desk: openJobDesk(backend, { log }),
    queue: createJobQueue(backend, { log }),
    ledger: openLedger(backend, log),
    meetings: openMeetingIndex(backend, log),
  };
  const close = async (): Promise<void> => {
    const parts = await Promise.allSettled(Object.values(opening));
    await Promise.all(parts.flatMap((part) => (part.status === 'fulfilled' ? [part.value.close()] : [])));
  };
  try {
    const [desk, queue, ledger, meetings] = await Promise.all([
      opening.desk,
      opening.queue,
      opening.ledger,
      opening.meetings,
    ]);
    return { desk, queue, ledger, meetings, clock, close };
  } catch (error) {
    await close();
    throw error;
  }
}
