import { foldCase } from './fold-case.ts';
import type { Meeting } from './meeting.ts';
import { isSandboxUser, sandboxUser } from './sandbox-user.ts';
import type { SandboxWorld } from './sandbox-world.ts';

/** What to find; absent means any. */
export interface MeetingFilter {
  /** In the title, without case. */
  readonly q?: string | undefined;
  /** Any of them. */
  readonly tagIds?: readonly string[] | undefined;
  /** Any of them. */
  readonly sources?: readonly string[] | undefined;
  /** Any of them. */
  readonly authors?: readonly string[] | undefined;
  /** `YYYY-MM-DD`, inclusive; days are read as UTC. */
  readonly dateFrom?: string | undefined;
  readonly dateTo?: string | undefined;
}

/** The meetings that match, newest first; of one instant, the later made first. */
export function findMeetings(world: SandboxWorld, filter: MeetingFilter): readonly Meeting[] {
  const words = filter.q === undefined ? undefined : foldCase(filter.q);
  const { tagIds, sources, dateFrom, dateTo } = filter;
  const authorIds = filter.authors?.flatMap((author) => (isSandboxUser(author) ? [sandboxUser.id] : []));
  return world.meetings
    .list()
    .filter((meeting) => {
      const day = new Date(meeting.localDateTime).toISOString().slice(0, 10);
      return (
        (words === undefined || foldCase(meeting.title).includes(words)) &&
        (tagIds === undefined || meeting.tagIds.some((tagId) => tagIds.includes(tagId))) &&
        (sources === undefined || sources.includes(meeting.source)) &&
        (authorIds === undefined || authorIds.includes(meeting.authorId)) &&
        (dateFrom === undefined || day >= dateFrom) &&
        (dateTo === undefined || day <= dateTo)
      );
    })
    .toReversed()
    .toSorted((one, other) => Date.parse(other.localDateTime) - Date.parse(one.localDateTime));
}
