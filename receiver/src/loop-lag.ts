/** How late the turns of the event loop are, which is how long each connection waits at least. */
export interface LoopLag {
  /** The newest measurement, in seconds. */
  seconds(): number;
  /** Whether two measurements in a row were beyond the bound: one alone is a pause of the machine that is over. */
  isBeyond(): boolean;
  stop(): void;
}

const EVERY_MS = 100;
const BOUND_MS = 1000;

/** Measures until it is stopped. `readMs` is a clock that is never set back. */
export function measureLoopLag(readMs: () => number = () => performance.now()): LoopLag {
  let dueMs = readMs() + EVERY_MS;
  let lagMs = 0;
  let beforeMs = 0;
  const timer = setInterval(() => {
    const nowMs = readMs();
    beforeMs = lagMs;
    lagMs = Math.max(0, nowMs - dueMs);
    dueMs = nowMs + EVERY_MS;
  }, EVERY_MS);
  timer.unref();
  return {
    seconds: () => lagMs / 1000,
    isBeyond: () => lagMs > BOUND_MS && beforeMs > BOUND_MS,
    stop: () => clearInterval(timer),
  };
}
