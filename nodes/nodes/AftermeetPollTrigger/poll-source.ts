import type { FoundMeeting, MeetingPhase } from '@aftermeet/client/pure';

import type { FetchedReport } from '../AftermeetTrigger/fetch-report.ts';

/** What a poll asks the service. Each rejects with `ServiceError`, but for the report. */
export interface PollSource {
  /** Every meeting from this day on (`YYYY-MM-DD`), of all pages. */
  readonly search: (dateFrom: string) => AsyncIterable<FoundMeeting>;
  readonly askPhase: (meetingId: string) => Promise<MeetingPhase>;
  readonly fetchReport: (meetingId: string) => Promise<FetchedReport>;
  /** Where the report of a meeting is fetched. */
  readonly reportUrl: (meetingId: string) => string;
  /** The clock, Unix milliseconds. */
  readonly now: () => number;
  /** When to stop asking, on that clock; what was not asked by then is the next poll's. */
  readonly untilMs: number;
}
