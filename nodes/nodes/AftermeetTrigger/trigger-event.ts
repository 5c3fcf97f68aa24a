import type { IDataObject } from 'n8n-workflow';

/** What both triggers return of a meeting: always these fields, null where nothing is known. The names are those on the wire. */
export interface TriggerEvent {
  /** `meeting.completed`, `meeting.failed`, or a kind that is not known yet. */
  readonly event: string;
  readonly meeting_id: string;
  /** Of the event, as it came. */
  readonly timestamp: string | null;
  readonly title: string | null;
  readonly is_transcript_empty: boolean | null;
  /** Where the report is fetched, with the API key. */
  readonly report_url: string | null;
  /** Why a meeting failed. */
  readonly reason: string | null;
  /** Not signed: for looking it up, not for telling deliveries apart. */
  readonly delivery_id: string | null;
  /** What the body holds under `data`, known here or not. */
  readonly data: IDataObject | null;
}

/** The kinds that the specification names ("Events"). */
export const knownEvents = ['meeting.completed', 'meeting.failed'] as const;
