import { type Backend, createGroupedWriter, withDeadline } from '@aftermeet/queue';

import { type AlertThrottle, createAlertThrottle } from '../alert-throttle.ts';
import { openSharedStore } from '../store/open-stores.ts';
import type { SharedStore, Swap } from '../store/shared-store.ts';
import { createKeyWatch, createPauseWatch, type KeyWatch } from './key-watch.ts';
import {
  type Slot,
  type Admission,
  type SlotCommand,
  type RateLimitState,
  rateLimitStateSchema,
  moveSlot,
  startRateLimit,
} from './move-slot.ts';

/** What shares a limit at a destination: one Slack channel, one Notion connection, one mail server. */
export interface RateLimit {
  readonly name: string;
  /** Milliseconds between two effects of the rate limit, more than 0. */
  readonly gapMs: number;
}

interface Visit {
  readonly rateLimit: RateLimit;
  /** The slot that the effect was given last and has not gone by. A slot is good for one go. */
  readonly slotMs?: number | undefined;
  /**
   * It has gone before: now it gets a slot at the front, before those that never went. However many return, these get
   * every other slot.
   */
  readonly isReturning?: boolean;
}

/**
 * The lines in front of the destinations' limits, kept in the store and shared by all workers. Each effect that is
 * planned gets a slot, so that it is not looked at before that; who comes earlier, or while the rate limit is paused, is
 * told when to come back and with which slot. At most one effect goes in nine tenths of a gap, across all workers.
 * Names can hold ids, never addresses: they are stored.
 */
export interface RateLimits {
  /** A slot at the end of each rate limit's line, in the order given. */
  reserve(rateLimits: readonly RateLimit[], nowMs: number): Promise<readonly Slot[]>;
  enter(visit: Visit, nowMs: number): Promise<Admission>;
  /** An effect that has not gone gives its slot back. */
  leave(rateLimit: RateLimit, slotMs: number, nowMs: number): Promise<void>;
  /**
   * The destination asked for a pause of this rate limit. All slots move by it. Answers with a slot at the front,
   * for the effect that heard of it.
   */
  pause(rateLimit: RateLimit, untilMs: number, nowMs: number): Promise<Slot>;
  /** Removes rate limits that were unused for a month. */
  sweep(nowMs: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Each command is a few bytes; thousands are written together when a large meeting is planned. The times are long: a
 * worker waits for a store that is away for a while, and a job that does not hear from it in time is tried again.
 */
const writerLimits = {
  maxGroup: 2000,
  maxGroupSize: 2000,
  maxWaiting: 200_000,
  maxWaitingSize: 200_000,
  // Two steps of one process on one rate limit would only stand in each other's way.
  maxInFlight: 1,
  startWithinMs: 25_000,
  answerWithinMs: 30_000,
  sizeOf: () => 1,
};

/** A fetched report waits no longer than this to record that the key was accepted, nor an alert for its admission. */
const notesWithinMs = 5000;

/** What the workers share besides the ledger. Closing the rate limits closes both. */
interface Pace {
  readonly rateLimits: RateLimits;
  readonly keyWatch: KeyWatch;
  /** Whether a destination refuses our token or login. */
  readonly pauses: (destination: string) => KeyWatch;
  readonly alertThrottle: AlertThrottle;
  readonly shared: SharedStore;
}

/** Opens rate limits, key watch and alert gate in the store that keeps the jobs. Rejects when their table cannot be made. */
export async function openSharedLimits(backend: Backend): Promise<Pace> {
  const shared = await openSharedStore(backend);
  const notes: Pick<SharedStore, 'swap'> = {
    swap: (swaps, nowMs) => withDeadline(shared.swap(swaps, nowMs), notesWithinMs),
  };
  return {
    rateLimits: createRateLimits(shared),
    keyWatch: createKeyWatch(notes),
    pauses: (destination) => createPauseWatch(notes, destination),
    alertThrottle: createAlertThrottle(notes),
    shared,
  };
}

function createRateLimits(shared: SharedStore): RateLimits {
  const store = createRateLimitStore(shared);
  const writer = createGroupedWriter<SlotStep, Admission>((steps) => store.take(steps), writerLimits);
  const writeForTurn = async (step: SlotStep): Promise<Slot> => {
    const answer = await writer.write(step);
    if (answer.kind === 'go') throw new Error('a rate limit gave no slot');
    return { slotMs: answer.slotMs, atMs: answer.atMs, place: answer.place };
  };

  return {
    reserve: (rateLimits, nowMs) =>
      Promise.all(
        rateLimits.map((rateLimit) => writeForTurn({ rateLimit, command: { kind: 'reserve' }, nowMs })),
      ),
    enter: ({ rateLimit, slotMs, isReturning = false }, nowMs) =>
      writer.write({ rateLimit, command: { kind: 'enter', slotMs, isReturning }, nowMs }),
    leave: async (rateLimit, slotMs, nowMs) =>
      void (await writer.write({ rateLimit, command: { kind: 'leave', slotMs }, nowMs })),
    pause: (rateLimit, untilMs, nowMs) =>
      writeForTurn({ rateLimit, command: { kind: 'pause', untilMs }, nowMs }),
    sweep: (nowMs) => shared.sweep(nowMs),
    close: () => shared.close([writer]),
  };
}

/** Something that is wanted of a rate limit, at a moment in milliseconds since 1970. */
interface SlotStep {
  readonly rateLimit: RateLimit;
  readonly command: SlotCommand;
  readonly nowMs: number;
}

interface RateLimitStore {
  /** Applies the steps in their order, together with those of other workers. One round trip without contention. */
  take(steps: readonly SlotStep[]): Promise<readonly Admission[]>;
}

interface KnownRateLimit {
  readonly text: string | undefined;
  readonly state: RateLimitState | undefined;
}

const unknownRateLimit: KnownRateLimit = { text: undefined, state: undefined };

const MAX_KNOWN = 10_000;

/** A destination may be paused for days while its effects wait. */
const KEEP_UNUSED_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Rate limits in the shared store. The last known state is remembered, so that mostly the first swap succeeds; where another
 * worker came first, its state is what the rules are applied to again.
 */
function createRateLimitStore(shared: SharedStore): RateLimitStore {
  const known = new Map<string, KnownRateLimit>();
  const remember = (name: string, rateLimit: KnownRateLimit): void => {
    known.delete(name);
    known.set(name, rateLimit);
    const [oldest] = known.keys();
    if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  };
  return {
    async take(steps) {
      const answers = new Map<SlotStep, Admission>();
      let waiting = groupByRateLimit(steps);
      while (waiting.length > 0) {
        const moves = waiting.map(([name, ofRateLimit]) =>
          moveAll(name, known.get(name) ?? unknownRateLimit, ofRateLimit),
        );
        const nowMs = Math.max(...moves.map((move) => move.nowMs));
        const found = await shared.swap(
          moves.map(({ swap }) => swap),
          nowMs,
        );
        for (const [index, { name, swap, state, answered }] of moves.entries()) {
          const text = found[index];
          if (text !== undefined) {
            remember(name, { text, state: readState(text) });
            continue;
          }
          remember(name, { text: swap.next, state });
          for (const [step, answer] of answered) answers.set(step, answer);
        }
        waiting = waiting.filter((_, index) => found[index] !== undefined);
      }
      return steps.flatMap((step) => answers.get(step) ?? []);
    },
  };
}

function groupByRateLimit(steps: readonly SlotStep[]): readonly (readonly [string, readonly SlotStep[]])[] {
  const groups = new Map<string, SlotStep[]>();
  for (const step of steps) {
    const group = groups.get(step.rateLimit.name);
    if (group === undefined) groups.set(step.rateLimit.name, [step]);
    else group.push(step);
  }
  return [...groups];
}

function moveAll(name: string, rateLimit: KnownRateLimit, steps: readonly SlotStep[]) {
  let nowMs = 0;
  let state = rateLimit.state;
  const answered: (readonly [SlotStep, Admission])[] = [];
  for (const step of steps) {
    nowMs = Math.max(nowMs, step.nowMs);
    const moment = { nowMs: step.nowMs, gapMs: step.rateLimit.gapMs };
    const move = moveSlot(state ?? startRateLimit(step.nowMs), step.command, moment);
    state = move.state;
    answered.push([step, move.answer]);
  }
  const settled = state ?? startRateLimit(nowMs);
  const swap: Swap = {
    name: `limit:${name}`,
    known: rateLimit.text,
    next: JSON.stringify(settled),
    keepMs: Math.max(settled.tailMs + settled.offsetMs - nowMs, 0) + KEEP_UNUSED_MS,
  };
  return { name, swap, state: settled, answered, nowMs };
}

/** A text that is no state of a rate limit is replaced. */
function readState(text: string): RateLimitState | undefined {
  try {
    return rateLimitStateSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
