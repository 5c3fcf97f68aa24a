import { z } from 'zod';

/** A place in a rate limit's line. */
export interface Slot {
  /** In the rate limit's own time, which stands still while the rate limit is paused: what a job keeps until it has gone. */
  readonly slotMs: number;
  /** On the clock, as things stand now. */
  readonly atMs: number;
  /** Its distance from the last slot of the line that has gone, from 1: a line that is late or paused keeps its order by it. */
  readonly place: number;
}

export type Admission =
  | { readonly kind: 'go' }
  | ({ readonly kind: 'wait'; readonly isPaused: boolean } & Slot);

/** A request to a rate limit. */
export type SlotCommand =
  | { readonly kind: 'reserve' }
  | { readonly kind: 'enter'; readonly slotMs?: number | undefined; readonly isReturning: boolean }
  | { readonly kind: 'leave'; readonly slotMs: number }
  | { readonly kind: 'pause'; readonly untilMs: number };

interface SlotMove {
  readonly state: RateLimitState;
  readonly answer: Admission;
}

interface Waiting extends SlotMove {
  readonly answer: Extract<Admission, { kind: 'wait' }>;
}

const MAX_TOLERANCE_MS = 100;

/** How much earlier than its time an effect may go, so that the jitter of a timer costs no second wait. */
function toleranceOf(gapMs: number): number {
  return Math.min(Math.floor(gapMs / 10), MAX_TOLERANCE_MS);
}

interface Moment {
  readonly nowMs: number;
  readonly gapMs: number;
}

/**
 * The rules of a rate limit; pure. Two effects that want the same place are told apart when they meet: the first one goes,
 * the other one pushes the rest of the line. Until then nothing has to be moved in the line's middle.
 */
export function moveSlot(before: RateLimitState, command: SlotCommand, moment: Moment): SlotMove {
  const state = catchUp(followSetback(before, moment.nowMs), moment.nowMs);
  if (command.kind === 'reserve') return joinEnd(state, moment);
  if (command.kind === 'enter') return enter(state, command, moment);
  if (command.kind === 'leave') return leave(state, command.slotMs, moment);
  return bookFront(close(state, command.untilMs, moment.nowMs), moment, true);
}

/** By how much the clocks of workers may differ. */
const SMALLEST_SETBACK_MS = 1000;

/**
 * A state that was changed later than now says that the store's clock was set back: all times on that clock move with it.
 * Else the line would stand still until the old time has come again.
 */
function followSetback(state: RateLimitState, nowMs: number): RateLimitState {
  const backMs = state.changedAtMs - nowMs;
  if (backMs <= SMALLEST_SETBACK_MS) return state;
  const { offsetMs, lastGoMs, closedUntilMs } = state;
  return {
    ...state,
    offsetMs: offsetMs - backMs,
    lastGoMs: lastGoMs - backMs,
    closedUntilMs: closedUntilMs - backMs,
    changedAtMs: nowMs,
  };
}

/** An empty line does not fall behind: its next slot is now. */
function catchUp(state: RateLimitState, nowMs: number): RateLimitState {
  return {
    ...state,
    offsetMs: Math.max(state.offsetMs, nowMs - state.tailMs),
    changedAtMs: Math.max(state.changedAtMs, nowMs),
  };
}

/** The line stands still from now on, or from the end of the pause that it is in. */
function close(state: RateLimitState, untilMs: number, nowMs: number): RateLimitState {
  const moreMs = Math.max(untilMs - Math.max(nowMs, state.closedUntilMs), 0);
  const closedUntilMs = Math.max(untilMs, state.closedUntilMs);
  return { ...state, offsetMs: state.offsetMs + moreMs, closedUntilMs };
}

function enter(
  state: RateLimitState,
  visit: Extract<SlotCommand, { kind: 'enter' }>,
  moment: Moment,
): SlotMove {
  const { slotMs, isReturning } = visit;
  const { nowMs, gapMs } = moment;
  const soonMs = nowMs + toleranceOf(gapMs);
  // A slot behind the end is from a state that the store has lost.
  if (slotMs === undefined || slotMs >= state.tailMs) {
    if (isReturning) return joinFront(state, moment, isReturning);
    const joined = joinEnd(state, moment);
    if (joined.answer.atMs > soonMs) return joined;
    // Those that wait, and are late, have not missed their slots because one has overtaken them.
    const isAlone = joined.answer.place === 1;
    return go(joined.state, isAlone ? state.tailMs : state.headMs, moment);
  }
  const dueMs = slotMs + state.offsetMs;
  if (dueMs > soonMs) return wait(state, slotMs, Math.max(dueMs, state.closedUntilMs), moment);
  const isLate = nowMs - dueMs > 1.5 * gapMs;
  if (isLate && (isReturning || slotMs <= state.headMs)) return joinFront(state, moment, isReturning);
  // No effect behind it has gone: the whole line is late, and goes on from here.
  const line = isLate ? goOnFrom(slotMs, state, nowMs) : state;
  const freeMs = findFree(line, gapMs);
  if (freeMs > soonMs) return push(line, slotMs, freeMs, moment);
  return go(line, isReturning ? line.headMs : slotMs, moment);
}

/**
 * An effect ends, or waits for something else, without having gone by its slot: those behind it move up. Before its time
 * others may wait in front of it.
 */
function leave(state: RateLimitState, slotMs: number, { nowMs, gapMs }: Moment): SlotMove {
  const lateMs = nowMs - (slotMs + state.offsetMs);
  const isNext = slotMs > state.headMs && slotMs < state.tailMs && lateMs >= -toleranceOf(gapMs);
  if (!isNext) return { state, answer: { kind: 'go' } };
  const line = lateMs > 1.5 * gapMs ? goOnFrom(slotMs, state, nowMs) : state;
  return { state: { ...line, headMs: slotMs }, answer: { kind: 'go' } };
}

/** The time of the slot is now. The next slot at the front stays where it was on the clock. */
function goOnFrom(slotMs: number, state: RateLimitState, nowMs: number): RateLimitState {
  const offsetMs = nowMs - slotMs;
  return { ...state, offsetMs, frontMs: state.frontMs + state.offsetMs - offsetMs };
}

/** The earliest time for the next effect. */
function findFree(state: RateLimitState, gapMs: number): number {
  return Math.max(state.lastGoMs + gapMs, state.closedUntilMs);
}

function joinEnd(state: RateLimitState, moment: Moment): Waiting {
  const slotMs = state.tailMs;
  return wait({ ...state, tailMs: slotMs + moment.gapMs }, slotMs, slotMs + state.offsetMs, moment);
}

/**
 * The next slot at the front, which may be another effect's slot as well. Those that come back leave every other
 * place to the line: however many they are, it moves on.
 */
function bookFront(state: RateLimitState, moment: Moment, isReturning: boolean): Waiting {
  const { nowMs, gapMs } = moment;
  const { offsetMs, tailMs } = state;
  const atMs = Math.max(nowMs, findFree(state, gapMs), state.frontMs + offsetMs);
  const slotMs = atMs - offsetMs;
  const isLineAhead = tailMs > slotMs + gapMs;
  const frontMs = slotMs + (isReturning && isLineAhead ? 2 * gapMs : gapMs);
  return wait({ ...state, frontMs, tailMs: Math.max(tailMs, slotMs + gapMs) }, slotMs, atMs, moment);
}

function joinFront(state: RateLimitState, moment: Moment, isReturning: boolean): SlotMove {
  const booked = bookFront(state, moment, isReturning);
  const isSoon = booked.answer.atMs <= moment.nowMs + toleranceOf(moment.gapMs);
  return isSoon ? go(booked.state, state.headMs, moment) : booked;
}

/**
 * Another effect has just taken its slot: it takes the next one, and those behind it come later by as little as that
 * needs. The tolerance is left out: it is what they may come earlier than their time.
 */
function push(state: RateLimitState, slotMs: number, freeMs: number, moment: Moment): SlotMove {
  const dueMs = freeMs - toleranceOf(moment.gapMs);
  // Behind an effect that has missed its slot comes the one that follows the head.
  const lastMs = Math.max(slotMs, state.headMs);
  const offsetMs = Math.max(state.offsetMs, dueMs - lastMs);
  return wait({ ...state, offsetMs }, Math.max(slotMs, dueMs - offsetMs), freeMs, moment);
}

function go(state: RateLimitState, headMs: number, { nowMs, gapMs }: Moment): SlotMove {
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

function wait(state: RateLimitState, slotMs: number, atMs: number, { nowMs, gapMs }: Moment): Waiting {
  const place = Math.max(0, Math.floor((slotMs - state.headMs - 1) / gapMs)) + 1;
  return { state, answer: { kind: 'wait', isPaused: state.closedUntilMs > nowMs, slotMs, atMs, place } };
}

/**
 * What the store keeps of a rate limit. Slots are in line time: the clock minus `offsetMs`. Whatever delays the whole
 * line (a pause, an effect that comes in between, an hour without workers) makes the offset grow, so that all effects come
 * later by the same and no slot must be changed. Line time passes only where a slot was given, so a line is never further
 * behind than its own length.
 */
export const rateLimitStateSchema = z.object({
  offsetMs: z.number(),
  /** Line time: the next free slot at the end. */
  tailMs: z.number(),
  /** Line time: the last slot of the line that has gone. An effect with an earlier one has missed it. */
  headMs: z.number(),
  /** Line time: the next slot at the front, for effects that missed their slot or come back. */
  frontMs: z.number(),
  /** The clock. */
  lastGoMs: z.number(),
  closedUntilMs: z.number(),
  changedAtMs: z.number(),
});

export type RateLimitState = Readonly<z.output<typeof rateLimitStateSchema>>;

/** A rate limit without a state: slots that an earlier state gave count as missed. */
export function startRateLimit(nowMs: number): RateLimitState {
  return {
    offsetMs: 0,
    tailMs: nowMs,
    headMs: nowMs - 1,
    frontMs: nowMs,
    lastGoMs: 0,
    closedUntilMs: 0,
    changedAtMs: nowMs,
  };
}
