import type { LaneState } from './lane-state.ts';
import type { Admission } from './lanes.ts';

/** What somebody wants of a lane. */
export type LaneCommand =
  | { readonly kind: 'reserve' }
  | { readonly kind: 'enter'; readonly turnMs?: number | undefined; readonly isReturning: boolean }
  | { readonly kind: 'pause'; readonly untilMs: number };

export interface LaneMove {
  readonly state: LaneState;
  readonly answer: Admission;
}

interface Waiting extends LaneMove {
  readonly answer: Extract<Admission, { kind: 'wait' }>;
}

const longestToleranceMs = 100;

/** How much earlier than its time an effect may go, so that a timer's jitter makes nobody wait again. */
function toleranceOf(gapMs: number): number {
  return Math.min(Math.floor(gapMs / 10), longestToleranceMs);
}

interface Moment {
  readonly nowMs: number;
  readonly gapMs: number;
}

/**
 * The rules of a lane; pure. Two effects that want the same place are told apart when they meet: the first one goes,
 * the other one pushes the rest of the line. Until then nothing has to be moved in the line's middle.
 */
export function moveLane(before: LaneState, command: LaneCommand, moment: Moment): LaneMove {
  const state = catchUp(before, moment.nowMs);
  if (command.kind === 'reserve') return joinEnd(state, moment);
  if (command.kind === 'enter') return enter(state, command, moment);
  return bookFront(close(state, command.untilMs, moment.nowMs), moment, true);
}

/** An empty line does not fall behind: its next turn is now. */
function catchUp(state: LaneState, nowMs: number): LaneState {
  return { ...state, offsetMs: Math.max(state.offsetMs, nowMs - state.tailMs) };
}

/** The line stands still from now on, or from the end of the pause that it is in. */
function close(state: LaneState, untilMs: number, nowMs: number): LaneState {
  const moreMs = Math.max(untilMs - Math.max(nowMs, state.closedUntilMs), 0);
  const closedUntilMs = Math.max(untilMs, state.closedUntilMs);
  return { ...state, offsetMs: state.offsetMs + moreMs, closedUntilMs };
}

function enter(state: LaneState, visit: Extract<LaneCommand, { kind: 'enter' }>, moment: Moment): LaneMove {
  const { turnMs, isReturning } = visit;
  const { nowMs, gapMs } = moment;
  const soonMs = nowMs + toleranceOf(gapMs);
  // A turn behind the end is from a state that the store has lost.
  if (turnMs === undefined || turnMs >= state.tailMs) {
    if (isReturning) return joinFront(state, moment, isReturning);
    const joined = joinEnd(state, moment);
    return joined.answer.atMs > soonMs ? joined : go(joined.state, state.tailMs, moment);
  }
  const dueMs = turnMs + state.offsetMs;
  if (dueMs > soonMs) return wait(state, turnMs, Math.max(dueMs, state.closedUntilMs), nowMs);
  const isLate = nowMs - dueMs > 1.5 * gapMs;
  if (isLate && (isReturning || turnMs <= state.headMs)) return joinFront(state, moment, isReturning);
  // Nobody behind it has gone: the whole line is late, and goes on from here.
  const line = isLate ? { ...state, offsetMs: nowMs - turnMs } : state;
  const freeMs = findFree(line, gapMs);
  if (freeMs > soonMs) return push(line, turnMs, freeMs, moment);
  return go(line, isReturning ? line.headMs : turnMs, moment);
}

/** When the lane takes somebody at the earliest. */
function findFree(state: LaneState, gapMs: number): number {
  return Math.max(state.lastGoMs + gapMs, state.closedUntilMs);
}

function joinEnd(state: LaneState, { nowMs, gapMs }: Moment): Waiting {
  const turnMs = state.tailMs;
  return wait({ ...state, tailMs: turnMs + gapMs }, turnMs, turnMs + state.offsetMs, nowMs);
}

/**
 * The next place at the front, which may be somebody else's turn as well. Those that come back leave every other
 * place to the line: however many they are, it moves on.
 */
function bookFront(state: LaneState, { nowMs, gapMs }: Moment, isReturning: boolean): Waiting {
  const { offsetMs, tailMs } = state;
  const atMs = Math.max(nowMs, findFree(state, gapMs), state.frontMs + offsetMs);
  const turnMs = atMs - offsetMs;
  const isLineAhead = tailMs > turnMs + gapMs;
  const frontMs = turnMs + (isReturning && isLineAhead ? 2 * gapMs : gapMs);
  return wait({ ...state, frontMs, tailMs: Math.max(tailMs, turnMs + gapMs) }, turnMs, atMs, nowMs);
}

function joinFront(state: LaneState, moment: Moment, isReturning: boolean): LaneMove {
  const booked = bookFront(state, moment, isReturning);
  const isSoon = booked.answer.atMs <= moment.nowMs + toleranceOf(moment.gapMs);
  return isSoon ? go(booked.state, state.headMs, moment) : booked;
}

/**
 * Somebody else has just taken its place: it takes the next one, and those behind it come later by as little as that
 * needs. The tolerance is left out: it is what they may come earlier than their time.
 */
function push(state: LaneState, turnMs: number, freeMs: number, { nowMs, gapMs }: Moment): LaneMove {
  const dueMs = freeMs - toleranceOf(gapMs);
  // Behind one that has missed its turn comes whoever follows the head.
  const lastMs = Math.max(turnMs, state.headMs);
  const offsetMs = Math.max(state.offsetMs, dueMs - lastMs);
  return wait({ ...state, offsetMs }, Math.max(turnMs, dueMs - offsetMs), freeMs, nowMs);
}

function go(state: LaneState, headMs: number, { nowMs, gapMs }: Moment): LaneMove {
  return {
    state: {
      ...state,
      lastGoMs: nowMs,
      headMs: Math.max(state.headMs, headMs),
      tailMs: Math.max(state.tailMs, nowMs + gapMs - state.offsetMs),
    },
    answer: { kind: 'go' },
  };
}

function wait(state: LaneState, turnMs: number, atMs: number, nowMs: number): Waiting {
  return { state, answer: { kind: 'wait', isPaused: state.closedUntilMs > nowMs, turnMs, atMs } };
}
