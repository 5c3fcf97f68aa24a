/** A clock that only `wait` moves, and the waits that were asked for. */
export interface FakeTime {
  readonly clock: () => number;
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly waits: readonly number[];
  advance(ms: number): void;
}

export const FAKE_START_MS = Date.UTC(2026, 6, 7, 12);

export function createFakeTime(): FakeTime {
  let nowMs = FAKE_START_MS;
  const waits: number[] = [];
  return {
    clock: () => nowMs,
    async wait(ms, signal) {
      signal?.throwIfAborted();
      waits.push(ms);
      nowMs += ms;
    },
    waits,
    advance(ms) {
      nowMs += ms;
    },
  };
}
