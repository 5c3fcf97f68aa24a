import type { DeliveryPolicy } from './policy.ts';

/** What a destination may be asked now. */
export type CircuitState =
  | { readonly kind: 'closed' }
  /** Nothing, for so many milliseconds. */
  | { readonly kind: 'open'; readonly forMs: number }
  /** One call, to see whether it works again. */
  | { readonly kind: 'half_open' };

/** When a call began: what comes of it counts only while the circuit is as it was then. Undefined: not at all. */
type CallMark = number | undefined;

/** Keeps a destination that is down from being asked on and on. For one worker process. Times are milliseconds. */
export interface Circuit {
  readState(nowMs: number): CircuitState;
  begin(nowMs: number): CallMark;
  /** The destination has answered, whatever it said. */
  succeeded(mark: CallMark): void;
  /** It could not be reached, or did not answer. */
  failed(mark: CallMark, nowMs: number): void;
}

/**
 * Closed until so many failures follow each other without an answer in between; then open, each time twice as long up
 * to the longest, the last half of it at random so that workers do not come back together; then half open until a
 * call that began then has ended. Calls that were under way when it opened say nothing about what came after, nor do
 * those that begin while it is open: their jobs had been taken before, and would tell the same once more.
 */
export function createCircuit(policy: DeliveryPolicy['circuit'], random: () => number): Circuit {
  let failures = 0;
  let openedTimes = 0;
  /** Undefined: closed. */
  let openUntilMs: number | undefined;
  /** Rises whenever calls under way stop to count. */
  let era = 0;

  const open = (nowMs: number): void => {
    const longMs = Math.min(policy.firstOpenMs * 2 ** Math.min(openedTimes, 30), policy.longestOpenMs);
    openUntilMs = nowMs + Math.round(longMs * (0.5 + random() / 2));
    openedTimes += 1;
    failures = 0;
  };
  const readState = (nowMs: number): CircuitState => {
    if (openUntilMs === undefined) return { kind: 'closed' };
    return openUntilMs > nowMs ? { kind: 'open', forMs: openUntilMs - nowMs } : { kind: 'half_open' };
  };
  return {
    readState,
    begin: (nowMs) => (readState(nowMs).kind === 'open' ? undefined : era),
    succeeded(mark) {
      if (mark !== era) return;
      if (openUntilMs !== undefined) era += 1;
      failures = 0;
      openedTimes = 0;
      openUntilMs = undefined;
    },
    failed(mark, nowMs) {
      if (mark !== era) return;
      failures += 1;
      if (openUntilMs === undefined && failures < policy.failures) return;
      era += 1;
      open(nowMs);
    },
  };
}

/** How many jobs a destination's worker takes at once. */
export function countPlaces(state: CircuitState, places: number): number {
  if (state.kind === 'closed') return places;
  return state.kind === 'open' ? 0 : 1;
}
