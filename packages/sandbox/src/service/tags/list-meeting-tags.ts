import type { Meeting } from '../meeting.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import type { Tag } from './tag-store.ts';

/** The tags of a meeting, in the order they were attached. */
export function listMeetingTags(world: SandboxWorld, meeting: Meeting): readonly Tag[] {
  return meeting.tagIds.flatMap((tagId) => world.tags.find(tagId) ?? []);
}
