import type { MeetingEvent } from './recipe.ts';
import { cutText } from './text/cut-text.ts';
import { formatWhen } from './text/format-when.ts';
import { tidyLine, tidyText } from './text/tidy-text.ts';

/** What an alert says, before any destination shapes it. */
export interface AlertText {
  readonly headline: string;
  readonly explanation: string;
  /** The service's own words, one or more lines. */
  readonly reason?: string;
  /** Ids, for whoever looks into it. */
  readonly ids: string;
}

/** What went wrong with a meeting, from its event alone. Pure and bounded. */
export function writeAlert(event: MeetingEvent): AlertText {
  const title = cutText(tidyLine((event.title ?? '').slice(0, 1000)), 200) || 'Untitled meeting';
  const reason = cutText(tidyText((event.reason ?? '').slice(0, 4000)).trim(), 1000);
  const isFailure = event.kind !== 'meeting.completed';
  const when = formatWhen(event.occurrence);
  const ids = `meeting ${cutText(tidyLine(event.meetingId), 100)}${when === undefined ? '' : ` · ${when}`}`;
  return {
    headline: isFailure ? `Meeting failed: ${title}` : `Nothing was transcribed: ${title}`,
    explanation: isFailure
      ? 'The service could not process this meeting, so there is no report.'
      : 'The meeting was processed, but its transcript is empty, so no recap was sent.',
    ...(reason === '' ? {} : { reason }),
    ids,
  };
}
