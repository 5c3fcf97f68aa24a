import { type SlotCommand, moveSlot, startRateLimit } from '../engine/limits/move-slot.ts';

/** One effect of a simulated rateLimit. */
export interface SimulatedEffect {
  /** When it gets its turn. Milliseconds since the simulation began. */
  readonly plannedMs: number;
  /** It is looked at this much later than its turn, the first time and every other time. */
  readonly firstDelayMs: number;
  readonly laterDelayMs: number;
  /** How far the clock of the worker is off that takes it. */
  readonly skewMs?: number;
  /** Tries that fail; it returns after a wait. */
  readonly failures?: number;
  readonly retryAfterMs?: number;
  /** Its first try is answered with a pause of the rateLimit. */
  readonly pauseMs?: number | undefined;
}

export interface SimulatedRateLimit {
  /** Every time that one went, in order. */
  readonly goes: readonly { readonly atMs: number; readonly index: number }[];
  /** How often each was told to wait. */
  readonly waits: readonly number[];
  /** When each had gone for the last time. */
  readonly endedMs: readonly number[];
}

interface Look {
  readonly atMs: number;
  readonly index: number;
  readonly isReturning: boolean;
  readonly slotMs: number | undefined;
  readonly tries: number;
}

const originMs = 1_795_000_000_000;

/** Runs a rate limit until every effect has its slot, on a clock of its own. */
export function simulateRateLimit(effects: readonly SimulatedEffect[], gapMs: number): SimulatedRateLimit {
  let state = startRateLimit(originMs);
  const command = (given: SlotCommand, nowMs: number) => {
    const move = moveSlot(state, given, { nowMs: originMs + nowMs, gapMs });
    state = move.state;
    return move.answer;
  };
  const goes: { atMs: number; index: number }[] = [];
  const waits = effects.map(() => 0);
  const endedMs = effects.map(() => Number.POSITIVE_INFINITY);
  const looks: Look[] = [];
  const add = (look: Look): void => {
    let low = 0;
    let high = looks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const isLater = (looks[middle]?.atMs ?? 0) > look.atMs;
      if (isLater) low = middle + 1;
      else high = middle;
    }
    looks.splice(low, 0, look);
  };
  for (const [index, { plannedMs }] of effects.entries()) {
    add({ atMs: plannedMs, index, isReturning: false, slotMs: undefined, tries: -1 });
  }
  for (let look = looks.pop(); look !== undefined; look = looks.pop()) {
    const effect = effects[look.index];
    if (effect === undefined) break;
    const { skewMs = 0, failures = 0, retryAfterMs = 5000, pauseMs } = effect;
    if (look.tries === -1) {
      const answer = command({ kind: 'reserve' }, look.atMs);
      if (answer.kind === 'go') throw new Error('a reservation goes nowhere');
      const atMs = Math.max(answer.atMs - originMs, look.atMs) + effect.firstDelayMs;
      add({ ...look, atMs, slotMs: answer.slotMs, tries: 0 });
      continue;
    }
    const { slotMs, isReturning } = look;
    const nowMs = look.atMs + skewMs;
    const answer = command({ kind: 'enter', slotMs, isReturning }, nowMs);
    if (answer.kind === 'wait') {
      const forMs = answer.atMs - originMs - nowMs;
      if (!(forMs > 0)) throw new Error(`told to wait for ${forMs} ms`);
      waits[look.index] = (waits[look.index] ?? 0) + 1;
      add({ ...look, atMs: look.atMs + forMs + effect.laterDelayMs, slotMs: answer.slotMs });
      continue;
    }
    goes.push({ atMs: look.atMs, index: look.index });
    const tries = look.tries + 1;
    if (tries === 1 && pauseMs !== undefined) {
      const paused = command({ kind: 'pause', untilMs: originMs + nowMs + pauseMs }, nowMs);
      if (paused.kind === 'go') throw new Error('a pause goes nowhere');
      const atMs = paused.atMs - originMs - skewMs + effect.laterDelayMs;
      add({ index: look.index, atMs, slotMs: paused.slotMs, isReturning: true, tries });
    } else if (tries <= failures) {
      add({ index: look.index, atMs: look.atMs + retryAfterMs, slotMs: undefined, isReturning: true, tries });
    } else endedMs[look.index] = look.atMs;
  }
  return { goes, waits, endedMs };
}
