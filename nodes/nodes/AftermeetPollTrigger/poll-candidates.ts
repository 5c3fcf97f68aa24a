import type { FoundMeeting } from '@aftermeet/client/pure';

import type { PollState } from './poll-state.ts';

/** A meeting that may be ready. */
export interface Candidate {
  readonly key: string;
  readonly meeting: FoundMeeting;
  /** Undefined where the search names no time. */
  readonly startMs: number | undefined;
}

/** Clocks differ. */
const SLACK_MS = 10 * 60_000;

/**
 * The found meetings that have begun and are not settled, in the order of being asked: those that never were first, newest
 * before, then those that waited longest, and at last those that had failed, in turn as well. So none is forgotten, however few
 * are asked at a time. Pure.
 */
export function listCandidates(
  found: readonly FoundMeeting[],
  state: PollState | undefined,
  sinceMs: number,
  nowMs: number,
): readonly Candidate[] {
  const turns = new Map(
    [...(state?.waiting ?? []), ...(state?.failed ?? [])].map((key, turn) => [key, turn]),
  );
  const turnOf = ({ key }: Candidate): number => turns.get(key) ?? -1;
  const known = new Map(found.map((meeting) => [keyOf(meeting), meeting]));
  return [...known]
    .map(([key, meeting]) => ({ key, meeting, startMs: startOf(meeting) }))
    .filter(({ startMs }) => startMs === undefined || (startMs >= sinceMs && startMs <= nowMs + SLACK_MS))
    .filter(({ key }) => state?.settled.has(key) !== true || state.failed.has(key))
    .toSorted((one, other) => turnOf(one) - turnOf(other) || (other.startMs ?? 0) - (one.startMs ?? 0));
}

/** Id and start: all meetings of a series have one id (observed). */
export function keyOf(meeting: FoundMeeting): string {
  return `${meeting.id}@${startOf(meeting) ?? ''}`;
}

function startOf({ startedAt }: FoundMeeting): number | undefined {
  const ms = Date.parse(startedAt ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}
