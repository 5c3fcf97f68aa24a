import type { Backend, Log } from '@aftermeet/queue';

import type { MeetingIndex } from './meeting-index.ts';
import { openPostgresMeetingIndex } from './postgres-meeting-index.ts';
import { openRedisMeetingIndex } from './redis-meeting-index.ts';

/** Opens the index of meetings in the store that keeps the jobs. */
export async function openMeetingIndex(backend: Backend, log: Log): Promise<MeetingIndex> {
  if (backend.kind === 'redis') return openRedisMeetingIndex(backend);
  return await openPostgresMeetingIndex(backend, log);
}
