import type { meetingStates } from '@aftermeet/contract';

import { createCollection } from './collection.ts';
import { type GivenContent, toScript } from './content/given-content.ts';
import type { MeetingScript } from './content/load-content.ts';
import { findScript } from './content/scripts.ts';

/** A template within the report of a meeting. Its blocks follow from the content, except the edited ones. */
export interface MeetingTemplate {
  readonly id: string;
  /** The slug of a built-in template or the id of a custom one. */
  readonly templateName: string;
  readonly edits: readonly { readonly entityName: string; readonly text: string }[];
}

/** One meeting as the sandbox stores it; a change makes a new value. */
export interface Meeting {
  readonly id: string;
  readonly title: string;
  /** Absent for an uploaded file. */
  readonly link?: string | undefined;
  readonly source: string;
  readonly authorId: string;
  /** ISO 8601 with an offset: the planned start, or when the bot or the file was sent. */
  readonly localDateTime: string;
  /** False when the bot was sent at once: then the time does not tell two recordings apart. */
  readonly isScheduled: boolean;
  /** Present for a series. */
  readonly cron?: string | undefined;
  /** In the order they were made; the first one belongs to the recording. */
  readonly templates: readonly MeetingTemplate[];
  readonly tagIds: readonly string[];
  readonly webhookUrl?: string | undefined;
  readonly webhookSecret?: string | undefined;
  /** The words of the service. `new` means: ready, but the report has not been opened yet. */
  readonly status: (typeof meetingStates)[number];
  /** When the status began, in the time of the sandbox, Unix milliseconds. */
  readonly statusSinceMs: number;
  readonly isTranscriptEmpty: boolean;
  /** Whether its minutes were subtracted from the plan. */
  readonly areMinutesUsed?: boolean | undefined;
  readonly failureReason?: string | undefined;
  /** The id of the sample meeting: see `content/scripts.ts`. */
  readonly scriptId: string;
  /** Content of one's own, in place of a sample meeting. */
  readonly content?: GivenContent | undefined;
}

/** What was said in a meeting, and what came out. */
export function findContent({ scriptId, content }: Pick<Meeting, 'scriptId' | 'content'>): MeetingScript {
  return content === undefined ? findScript(scriptId) : toScript(content);
}

/** The source of an uploaded file. */
export const UPLOAD_SOURCE = 'upload';

export const MAX_MEETINGS = 2000;

/** The meetings of one sandbox, in the order they were recorded. The oldest are removed over the limit. */
export type MeetingStore = ReturnType<typeof createMeetingStore>;

export function createMeetingStore() {
  const meetings = createCollection<Meeting>({ keyOf: ({ id }) => id, limit: MAX_MEETINGS });
  let count = 0;
  return {
    ...meetings,
    /** Counts recordings and uploads from 0 on, without a limit. */
    takeNumber(): number {
      count += 1;
      return count - 1;
    },
    clear(): void {
      meetings.clear();
      count = 0;
    },
  };
}

/** The one user of the workspace, the author of every meeting. */
export const sandboxUser = {
  id: '5f3c9a1e-2b74-4d86-8e10-7a9d4c6b2f51',
  name: 'Sandbox User',
  email: 'user@sandbox.example',
} as const;

/** What to find; absent means any. */
export interface MeetingFilter {
  /** In the title, without case. */
  readonly q?: string | undefined;
  /** Any of them; the same for the next two. */
  readonly tagIds?: readonly string[] | undefined;
  readonly sources?: readonly string[] | undefined;
  /** By id, name or address of the user. The specification does not show what it takes. */
  readonly authors?: readonly string[] | undefined;
  /** `YYYY-MM-DD` in UTC, inclusive. */
  readonly dateFrom?: string | undefined;
  readonly dateTo?: string | undefined;
}

/** The matching meetings, newest first; of one instant, the later made first. */
export function findMeetings(meetings: MeetingStore, filter: MeetingFilter): readonly Meeting[] {
  const words = filter.q === undefined ? undefined : foldCase(filter.q);
  const { tagIds, sources, authors, dateFrom, dateTo } = filter;
  return meetings
    .list()
    .filter((meeting) => {
      const day = new Date(meeting.localDateTime).toISOString().slice(0, 10);
      return (
        (words === undefined || foldCase(meeting.title).includes(words)) &&
        (tagIds === undefined || meeting.tagIds.some((tagId) => tagIds.includes(tagId))) &&
        (sources === undefined || sources.includes(meeting.source)) &&
        (authors === undefined || authors.some(isSandboxUser)) &&
        (dateFrom === undefined || day >= dateFrom) &&
        (dateTo === undefined || day <= dateTo)
      );
    })
    .toReversed()
    .toSorted((one, other) => Date.parse(other.localDateTime) - Date.parse(one.localDateTime));
}

function isSandboxUser(author: string): boolean {
  return Object.values(sandboxUser).some((known) => known.toLowerCase() === author.toLowerCase());
}

/** For comparisons without case. Upper case first makes `ß` equal to `SS`; NFC makes `é` equal in both of its forms. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase();
}
