/** How fast calls came, to play a vendor's limits. */
export interface CallPace {
  /** Whole seconds to wait when `calls` others of the same lane came within the last `perMs`; 0: it may pass, and counts. */
  readonly take: (lane: string, calls: number, perMs: number) => number;
  readonly clear: () => void;
}

/** `now` in Unix milliseconds. */
export function createCallPace(now: () => number): CallPace {
  const passed = new Map<string, readonly number[]>();
  return {
    take(lane, calls, perMs) {
      const recent = (passed.get(lane) ?? []).filter((at) => at > now() - perMs);
      const [oldest] = recent;
      if (recent.length >= calls && oldest !== undefined) {
        return Math.max(1, Math.ceil((oldest + perMs - now()) / 1000));
      }
      passed.set(lane, [...recent, now()]);
      return 0;
    },
    clear() {
      passed.clear();
    },
  };
}
