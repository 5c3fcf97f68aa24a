import type { meetingStates } from '@aftermeet/contract';

import type { MeetingScript } from '../content/meeting-script.ts';

/** The service's own words. `new` means: ready, but the report has not been opened yet. */
type MeetingStatus = (typeof meetingStates)[number];

/** A template within a meeting's report: its blocks follow from what was said, but for those that somebody rewrote. */
export interface MeetingTemplate {
  readonly id: string;
  /** The slug of a built-in template or the id of a custom one. */
  readonly templateName: string;
  /** The blocks that were rewritten, one entry each. */
  readonly edits: readonly { readonly entityName: string; readonly text: string }[];
}

/** One meeting as the sandbox keeps it; a change makes a new value. */
export interface Meeting {
  readonly id: string;
  readonly title: string;
  /** Absent where a file was uploaded. */
  readonly link: string | undefined;
  readonly source: string;
  /** The id of the user whose meeting it is. */
  readonly authorId: string;
  /** ISO 8601 with an offset: the planned start, or when the bot or the file was sent. */
  readonly localDateTime: string;
  /** False when it was sent at once: then the time does not tell two recordings apart. */
  readonly isScheduled: boolean;
  /** Present for a series. */
  readonly cron?: string | undefined;
  /** In the order they were made; the first one is the recording's own. */
  readonly templates: readonly MeetingTemplate[];
  readonly tagIds: readonly string[];
  readonly webhookUrl: string | undefined;
  readonly webhookSecret: string | undefined;
  readonly status: MeetingStatus;
  readonly isTranscriptEmpty: boolean;
  readonly script: MeetingScript;
}
