import type { MeetingScript } from '../content/meeting-script.ts';

/** The service's own words. `new` means: ready, but the report has not been opened yet. */
type MeetingStatus = 'queued' | 'recording' | 'processing' | 'new' | 'processed' | 'failed';

/** One meeting as the sandbox keeps it; a change makes a new value. */
export interface Meeting {
  readonly id: string;
  readonly title: string;
  readonly link: string;
  readonly source: string;
  /** ISO 8601 with an offset: the planned start, or when the bot was sent. */
  readonly localDateTime: string;
  /** False when it was sent at once: then the time does not tell two recordings apart. */
  readonly isScheduled: boolean;
  readonly templateId: string;
  readonly templateName: string;
  readonly webhookUrl: string | undefined;
  readonly webhookSecret: string | undefined;
  readonly status: MeetingStatus;
  readonly isTranscriptEmpty: boolean;
  readonly script: MeetingScript;
}
