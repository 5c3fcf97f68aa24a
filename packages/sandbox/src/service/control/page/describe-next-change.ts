import { html, type Markup } from '../../../web/markup.ts';
import { isUnderWay } from '../../life/find-next-change.ts';
import type { Transitions } from '../../life/transitions.ts';
import type { Meeting } from '../../meeting.ts';
import { describeCount } from './describe-count.ts';
import { renderDueTime } from './render-time.ts';

/** What a meeting becomes when it moves on by itself; one that is over comes again where it is of a series. */
const nextStatus: Readonly<Record<Meeting['status'], Meeting['status']>> = {
  queued: 'recording',
  recording: 'processing',
  processing: 'new',
  new: 'recording',
  processed: 'recording',
  failed: 'recording',
};

export interface Outlook {
  readonly transitions: Transitions;
  /** When the meeting moves on by the clock; see `MeetingLife`. */
  readonly nextChangeMs: number | undefined;
  readonly nowMs: number;
}

/** To what a meeting moves on by itself, and when; undefined when it does not. */
export function describeNextChange(
  meeting: Meeting,
  { transitions, nextChangeMs, nowMs }: Outlook,
): Markup | undefined {
  const next = html`Next: <strong>${nextStatus[meeting.status]}</strong>`;
  if (nextChangeMs !== undefined) return html`${next}, ${renderDueTime(nextChangeMs, nowMs)}`;
  if (typeof transitions === 'string' || !isUnderWay(meeting)) return undefined;
  return html`${next}, when its status was asked for ${describeCount(transitions.polls)}`;
}

/** How meetings move on at all, for people. */
export function describeTransitions(transitions: Transitions): string {
  if (typeof transitions === 'object') {
    return `Meetings move on when their status was asked for ${describeCount(transitions.polls)}.`;
  }
  return {
    manual: 'Meetings move on by the buttons below only.',
    clock: 'Meetings move on by this clock.',
    immediate: 'Meetings move on at once; a planned start is waited for.',
  }[transitions];
}
