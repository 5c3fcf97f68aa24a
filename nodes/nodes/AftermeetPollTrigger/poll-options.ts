import type { EventFilters } from '../AftermeetTrigger/event-filters.ts';

export interface PollOptions {
  readonly filters: EventFilters;
  readonly fetchesReport: boolean;
  /** Meetings that began earlier are not looked at. */
  readonly lookBackMs: number;
}

/** How far back one may look. */
export const mostDays = 90;
