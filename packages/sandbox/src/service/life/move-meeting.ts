import type { Meeting } from '../meeting.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import { completeMeeting } from './finish-meeting.ts';
import { keepMoved } from './keep-moved.ts';
import { startOccurrence } from './start-occurrence.ts';

/** One state onward: queued, recording, processing, ready; a series that is over comes again. */
export function moveMeeting(world: SandboxWorld, meeting: Meeting): void {
  const nowMs = world.clock.now();
  switch (meeting.status) {
    case 'recording':
      keepMoved(world, { ...meeting, status: 'processing', statusSinceMs: nowMs });
      return;
    case 'processing':
      completeMeeting(world, meeting.id, {});
      return;
    case 'queued':
    case 'new':
    case 'processed':
    case 'failed':
      if (meeting.cron !== undefined) keepMoved(world, startOccurrence(meeting, nowMs, world.makeId));
      else if (meeting.status === 'queued') {
        keepMoved(world, { ...meeting, status: 'recording', statusSinceMs: nowMs });
      }
  }
}
