import type { Meeting } from '../meeting.ts';
import type { SandboxWorld } from '../sandbox-world.ts';

/** Keeps a meeting whose status has changed, and plans what comes next. */
export function keepMoved(world: Pick<SandboxWorld, 'meetings' | 'life'>, meeting: Meeting): void {
  world.meetings.put(meeting);
  world.life.plan(meeting);
}
