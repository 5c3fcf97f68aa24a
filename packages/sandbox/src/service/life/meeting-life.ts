import type { SandboxClock } from '../clock/sandbox-clock.ts';
import type { Meeting } from '../meeting.ts';
import { DataFolderError } from '../state/data-folder-error.ts';
import { findNextChange, isUnderWay } from './find-next-change.ts';
import { createOpenCalls, type OpenCalls } from './open-calls.ts';
import type { Transitions } from './transitions.ts';

/** Moves meetings on by themselves. What it plans follows from the meetings alone. */
export interface MeetingLife {
  readonly transitions: Transitions;
  /** To be called whenever a meeting was made or its status was changed, and for each one that a later process finds: plans what comes next, instead of what was planned before. */
  readonly plan: (meeting: Meeting) => void;
  /** To be called when a meeting was removed: takes back what was planned. */
  readonly forget: (meetingId: string) => void;
  /** To be called when somebody asks how far a meeting is, before it is answered. */
  readonly poll: (meetingId: string) => void;
  /** Plays a call: the meetings that it makes or changes do not move on by the clock before it is answered. */
  readonly follow: OpenCalls['follow'];
  /** When the meeting moves on by the clock, Unix milliseconds. */
  readonly nextChangeMs: (meetingId: string) => number | undefined;
  /** Forgets all plans. */
  readonly reset: () => void;
}

export interface MeetingLifeSettings {
  readonly transitions: Transitions;
  readonly clock: Pick<SandboxClock, 'now' | 'schedule' | 'runningSince'>;
  readonly find: (meetingId: string) => Meeting | undefined;
  /** Moves a meeting one state onward. */
  readonly move: (meeting: Meeting) => void;
}

interface Plan {
  readonly atMs: number;
  takeBack: () => void;
}

/** So much later it is tried again to move a meeting on that could not be kept. */
const nextTryMs = 60_000;

export function createMeetingLife({ transitions, clock, find, move }: MeetingLifeSettings): MeetingLife {
  const plans = new Map<string, Plan>();
  const calls = createOpenCalls();
  /** How often each meeting was asked for in the state it is in. */
  const questions = new Map<string, number>();

  function forget(meetingId: string): void {
    plans.get(meetingId)?.takeBack();
    plans.delete(meetingId);
    questions.delete(meetingId);
  }

  function plan(meeting: Meeting, earliestMs = -Infinity): void {
    const { id } = meeting;
    forget(id);
    const nextMs = findNextChange(meeting, transitions, clock.runningSince());
    if (nextMs === undefined) return;
    const planned: Plan = { atMs: Math.max(nextMs, earliestMs), takeBack: () => {} };
    const whenAnswered = calls.note();
    plans.set(id, planned);
    planned.takeBack = clock.schedule(planned.atMs, () => {
      whenAnswered(() => {
        if (plans.get(id) === planned) step(id);
      });
    });
  }

  function step(meetingId: string): void {
    plans.delete(meetingId);
    const meeting = find(meetingId);
    if (meeting === undefined) return;
    try {
      move(meeting);
    } catch (error) {
      // Nobody could be told here that the disk is full.
      if (!(error instanceof DataFolderError)) throw error;
      plan(find(meetingId) ?? meeting, clock.now() + nextTryMs);
    }
  }

  return {
    transitions,
    plan(meeting) {
      plan(meeting);
    },
    forget,
    poll(meetingId) {
      if (typeof transitions === 'string') return;
      const meeting = find(meetingId);
      // A question does not start a series anew whose report is there to be read.
      if (meeting === undefined || !isUnderWay(meeting)) return;
      const asked = (questions.get(meetingId) ?? 0) + 1;
      questions.set(meetingId, asked);
      if (asked >= transitions.polls) move(meeting);
    },
    follow: calls.follow,
    nextChangeMs: (meetingId) => plans.get(meetingId)?.atMs,
    reset() {
      for (const meetingId of plans.keys()) forget(meetingId);
      questions.clear();
    },
  };
}
