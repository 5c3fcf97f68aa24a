import { asFields, type FoundMeeting, type MeetingPhase } from '@aftermeet/client/pure';

import { mostDays } from './properties.ts';

/** A meeting that may be ready. */
export interface Candidate {
  readonly key: string;
  readonly meeting: FoundMeeting;
  /** Undefined where the search names no time. */
  readonly startMs: number | undefined;
}

export interface PhaseAnswers {
  readonly findings: readonly Finding[];
  /** Those that could not be asked. */
  readonly unanswered: readonly Candidate[];
}

const DAY_MS = 86_400_000;

/** What became of a meeting that was looked at. */
export interface Finding {
  readonly candidate: Candidate;
  readonly phase: MeetingPhase;
}

export interface PollWindow {
  readonly sinceMs: number;
  readonly nowMs: number;
  /** The keys of everything that the search found. */
  readonly found: ReadonlySet<string>;
}

export interface SettledPoll {
  readonly state: PollState;
  /** Those that start the workflow, in the order of being found ready. */
  readonly fresh: readonly Finding[];
}

/**
 * What a poll emits and what is kept after it. `state` is what is kept just now: another poll may have come in between, and what
 * that one has emitted is not emitted again. Pure.
 */
export function settlePoll(
  state: PollState,
  { findings, unanswered }: PhaseAnswers,
  window: PollWindow,
): SettledPoll {
  const settled = new Map(state.settled);
  const failed = new Set(state.failed);
  const asked = new Set<string>();
  const stillWaiting: string[] = [];
  const fresh: Finding[] = [];
  for (const finding of findings) {
    const { candidate, phase } = finding;
    const { key } = candidate;
    const isSettled = settled.has(key);
    asked.add(key);
    if (phase === 'ready' && (!isSettled || failed.has(key))) fresh.push(finding);
    if (phase === 'failed' && !isSettled) fresh.push(finding);
    if (phase === 'ready') failed.delete(key);
    else if (phase === 'failed' || failed.has(key)) putLast(failed, key);
    if (isOver(phase)) settled.set(key, candidate.startMs ?? window.nowMs);
    else if (!isSettled) stillWaiting.push(key);
  }
  // They go to the end as well: else the same ones would be asked first for ever.
  for (const { key } of unanswered) {
    asked.add(key);
    if (failed.has(key)) putLast(failed, key);
    if (!settled.has(key)) stillWaiting.push(key);
  }
  const waiting = [
    ...state.waiting.filter((key) => !asked.has(key) && window.found.has(key)),
    ...stillWaiting,
  ];
  return { state: bound({ sinceMs: state.sinceMs, settled, failed, waiting }, window), fresh };
}

/**
 * What is kept after the first poll: everything that is over was there before, and so was what was not asked. What is
 * still under way, in an unknown state, or did not answer, starts the workflow once it is ready. Pure.
 */
export function beginPolling(
  candidates: readonly Candidate[],
  { findings, unanswered }: PhaseAnswers,
  window: PollWindow,
): PollState {
  const underWay = findings.filter(({ phase }) => !isOver(phase));
  const waiting = [...underWay.map(({ candidate }) => candidate), ...unanswered].map(({ key }) => key);
  const isWaiting = new Set(waiting);
  const over = candidates.filter(({ key }) => !isWaiting.has(key));
  const failed = findings.filter(({ phase }) => phase === 'failed').map(({ candidate }) => candidate.key);
  const settled = new Map(over.map(({ key, startMs = window.nowMs }) => [key, startMs]));
  return bound({ sinceMs: window.sinceMs, settled, failed: new Set(failed), waiting }, window);
}

/** A set keeps the order in which its values came. */
function putLast(keys: Set<string>, key: string): void {
  keys.delete(key);
  keys.add(key);
}

function isOver(phase: MeetingPhase): boolean {
  return phase === 'ready' || phase === 'failed' || phase === 'cancelled';
}

/**
 * Forgets what no search will find again, also one that is told to look back further or is made at an earlier hour of a clock that
 * was put back; of too many, the oldest, which are not looked at any more.
 */
function bound(state: PollState, { nowMs, found }: PollWindow): PollState {
  const kept = [...state.settled]
    .filter(([key, ms]) => ms >= nowMs - (mostDays + 1) * DAY_MS || found.has(key))
    .toSorted(([, one], [, other]) => other - one);
  const tooOld = kept[mostSettled]?.[1];
  const settled = new Map(kept.slice(0, mostSettled));
  return {
    sinceMs: Math.max(state.sinceMs, tooOld === undefined ? 0 : tooOld + 1),
    settled,
    failed: new Set([...state.failed].filter((key) => settled.has(key))),
    waiting: state.waiting.slice(-mostSettled),
  };
}

/** What is kept between polls. A meeting is known by its key (`keyOf` in poll-meetings.ts). */
export interface PollState {
  /** Nothing that began before this is looked at; Unix milliseconds. */
  readonly sinceMs: number;
  /** Those that were emitted, or were there before the first poll, with when they began. */
  readonly settled: ReadonlyMap<string, number>;
  /** Of those, the ones that had failed, in the order of being asked: they may still be completed. */
  readonly failed: ReadonlySet<string>;
  /** Those that were not ready when they were asked last, in the order of being asked. */
  readonly waiting: readonly string[];
}

/** How many meetings are remembered; with more of them in the time looked at, the oldest are given up. */
export const mostSettled = 2000;

/** From what n8n keeps; undefined for nothing, or for what is no such text: then this is the first poll. Pure. */
export function readPollState(kept: unknown): PollState | undefined {
  if (typeof kept !== 'string') return undefined;
  const fields = parseFields(kept);
  const { sinceMs, failed, waiting } = fields ?? {};
  const settled = asFields(fields?.['settled']);
  if (typeof sinceMs !== 'number' || settled === undefined) return undefined;
  return {
    sinceMs,
    settled: new Map(Object.entries(settled).map(([key, ms]) => [key, Number(ms)])),
    failed: new Set(listTexts(failed)),
    waiting: listTexts(waiting),
  };
}

/** One text: what is an object in n8n's static data is watched property by property. */
export function writePollState({ sinceMs, settled, failed, waiting }: PollState): string {
  return JSON.stringify({ sinceMs, settled: Object.fromEntries(settled), failed: [...failed], waiting });
}

function parseFields(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return asFields(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function listTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
