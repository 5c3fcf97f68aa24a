import type { ServerResponse } from 'node:http';

import { countCronRuns, nextCronRun } from '@aftermeet/contract';

import { checkAdvance, type SandboxClock } from './clock.ts';
import { measureSeconds, timeScript } from './content/time-script.ts';
import { findContent, type Meeting, type MeetingStore } from './meetings.ts';

/** What moves meetings from one state to the next. */
export type Transitions =
  /** Only the control routes. */
  | 'manual'
  /** The clock of the sandbox: planned start, length of the recording, time for processing. */
  | 'clock'
  /** As soon as possible, after the answer was sent; a planned start is waited for. */
  | 'immediate'
  /** One state with every so many status or report queries: a whole number, at least 1. */
  | { readonly polls: number };

/** The command writes `{ polls: 3 }` as `polls:3`. */
export type WrittenTransitions = Transitions | `polls:${number}`;

/** Throws `RangeError` for anything else. The default is `manual`. */
export function parseTransitions(written: unknown = 'manual'): Transitions {
  if (written === 'manual' || written === 'clock' || written === 'immediate') return written;
  const polls =
    typeof written === 'string'
      ? Number(/^polls:(\d{1,9})$/.exec(written)?.[1])
      : typeof written === 'object' && written !== null && 'polls' in written
        ? written.polls
        : undefined;
  if (typeof polls === 'number' && Number.isSafeInteger(polls) && polls >= 1) return { polls };
  throw new RangeError(
    "Unknown transitions: give 'manual', 'clock', 'immediate', or { polls: 3 }, also written 'polls:3', with a whole number from 1.",
  );
}

/** Moves meetings on by themselves. Every plan follows from the meeting alone. */
export interface Lifecycle {
  readonly transitions: Transitions;
  /** Plans the next change of a meeting, in place of an earlier plan. To be called for every meeting that is new or has another status. */
  readonly plan: (meeting: Meeting) => void;
  /** Cancels the plan of a removed meeting. */
  readonly cancel: (meetingId: string) => void;
  /** Counts a query for a meeting, before it is answered. */
  readonly poll: (meetingId: string) => void;
  /** When the clock changes the meeting, Unix milliseconds. */
  readonly nextChangeMs: (meetingId: string) => number | undefined;
  /** The lifecycle for one call: what the call plans happens after the response was sent. */
  readonly forCall: (response: ServerResponse) => Lifecycle;
  /** Cancels all plans. */
  readonly reset: () => void;
}

export interface LifecycleSettings {
  readonly transitions: Transitions;
  readonly clock: Pick<SandboxClock, 'schedule'>;
  readonly find: (meetingId: string) => Meeting | undefined;
  /** Moves a meeting one state on. */
  readonly move: (meeting: Meeting) => void;
}

interface Plan {
  readonly atMs: number;
  cancel: () => void;
}

/** Runs something when a call was answered or its connection has ended; at once when it already was. */
type AfterCall = (run: () => void) => void;

export function createLifecycle({ transitions, clock, find, move }: LifecycleSettings): Lifecycle {
  const plans = new Map<string, Plan>();
  /** The queries for each meeting in its present state. */
  const queries = new Map<string, number>();

  function cancel(meetingId: string): void {
    plans.get(meetingId)?.cancel();
    plans.delete(meetingId);
    queries.delete(meetingId);
  }

  function plan(meeting: Meeting, afterCall: AfterCall): void {
    const { id } = meeting;
    cancel(id);
    const atMs = findNextChange(meeting, transitions);
    if (atMs === undefined) return;
    const planned: Plan = { atMs, cancel: () => {} };
    plans.set(id, planned);
    planned.cancel = clock.schedule(atMs, () => {
      afterCall(() => {
        if (plans.get(id) !== planned) return;
        plans.delete(id);
        const current = find(id);
        if (current !== undefined) move(current);
      });
    });
  }

  const lifecycle: Lifecycle = {
    transitions,
    plan(meeting) {
      plan(meeting, (run) => run());
    },
    cancel,
    poll(meetingId) {
      if (typeof transitions === 'string') return;
      const meeting = find(meetingId);
      // A query does not start a series anew while its report can be read.
      if (meeting === undefined || !isUnderWay(meeting)) return;
      const count = (queries.get(meetingId) ?? 0) + 1;
      queries.set(meetingId, count);
      if (count >= transitions.polls) move(meeting);
    },
    nextChangeMs: (meetingId) => plans.get(meetingId)?.atMs,
    forCall(response) {
      let isOpen = !response.closed;
      const waiting: (() => void)[] = [];
      response.once('close', () => {
        isOpen = false;
        for (const run of waiting.splice(0)) run();
      });
      const afterCall: AfterCall = (run) => {
        if (isOpen) waiting.push(run);
        else run();
      };
      return {
        ...lifecycle,
        plan(meeting) {
          plan(meeting, afterCall);
        },
      };
    },
    reset() {
      for (const meetingId of plans.keys()) cancel(meetingId);
      queries.clear();
    },
  };
  return lifecycle;
}

/** How long the service processes a recording or a file (assumed). */
export const PROCESSING_MS = 20_000;

/** How long the bot records: as long as the sample meeting lasts. */
export function measureRecordingMs(meeting: Pick<Meeting, 'scriptId' | 'content'>): number {
  return measureSeconds(timeScript(findContent(meeting))) * 1000;
}

/** Neither ready nor failed. */
function isUnderWay({ status }: Meeting): boolean {
  return status === 'queued' || status === 'recording' || status === 'processing';
}

/** When the clock moves a meeting on, Unix milliseconds; undefined when it does not. */
function findNextChange(meeting: Meeting, transitions: Transitions): number | undefined {
  const { status, statusSinceMs, cron } = meeting;
  if (transitions === 'manual') return undefined;
  if (!isUnderWay(meeting)) {
    // Occurrences that came due while one was recorded or processed are left out: the bot was busy (assumed).
    return cron === undefined ? undefined : nextCronRun(cron, statusSinceMs);
  }
  if (typeof transitions === 'object') return undefined;
  if (status === 'queued') return Date.parse(meeting.localDateTime);
  if (transitions === 'immediate') return statusSinceMs;
  return statusSinceMs + (status === 'recording' ? measureRecordingMs(meeting) : PROCESSING_MS);
}

/** Of all series together, counted by whole days: about a second of work. */
const MAX_RUNS = 10_000;

export interface AdvanceParts {
  readonly clock: SandboxClock;
  readonly lifecycle: Pick<Lifecycle, 'transitions'>;
  readonly meetings: Pick<MeetingStore, 'list'>;
}

/**
 * Advances the clock. Throws `RangeError`, and changes nothing, for a time that is out of range, or in which series
 * would take place so often that the sandbox would be busy for long.
 */
export function advanceClock({ clock, lifecycle, meetings }: AdvanceParts, byMs: number): void {
  checkAdvance(byMs);
  if (lifecycle.transitions === 'clock' || lifecycle.transitions === 'immediate') {
    const nowMs = clock.now();
    let runs = 0;
    for (const { id, cron } of meetings.list()) {
      if (cron === undefined) continue;
      runs += countCronRuns(cron, nowMs, nowMs + byMs);
      if (runs > MAX_RUNS) {
        throw new RangeError(
          `The series would take place more than ${String(MAX_RUNS)} times until then, ${id} (${cron}) among them: advance the clock by less at once, or cancel that meeting.`,
        );
      }
    }
  }
  clock.advance(byMs);
}
