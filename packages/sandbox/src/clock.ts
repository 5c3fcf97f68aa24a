const DAY_MS = 86_400_000;
/** A year in one call. */
export const MAX_ADVANCE_MS = 366 * DAY_MS;
/** Beyond it, times would need more than four digits of year. */
const LATEST_MS = Date.UTC(9999, 11, 31);
/** A machine that slept is noticed after this time; and a timer cannot wait longer than 2^31 ms. */
const MAX_WAIT_MS = 60_000;

interface Plan {
  readonly atMs: number;
  readonly run: () => void;
}

/** The time of the sandbox: the time of the machine plus everything that it was advanced by. Unix milliseconds. */
export type SandboxClock = ReturnType<typeof createSandboxClock>;

/** `wall` is the time of the machine. */
export function createSandboxClock(wall: () => number) {
  /** How far the time was advanced. */
  let aheadMs = 0;
  /** Soonest first; of the same time, the first scheduled first. */
  const plans: Plan[] = [];
  let isStopped = false;
  /** The time while a plan runs. */
  let runningAtMs: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  const read = (): number => Math.min(wall() + aheadMs, LATEST_MS);
  const now = (): number => Math.floor(runningAtMs ?? read());

  /** One timer of the machine, for the soonest plan. */
  function startTimer(): void {
    clearTimeout(timer);
    timer = undefined;
    const [next] = plans;
    if (isStopped || runningAtMs !== undefined || next === undefined) return;
    const waitMs = Math.min(Math.max(0, next.atMs - read()), MAX_WAIT_MS);
    timer = setTimeout(() => {
      // A timer may fire a moment early: then it is started again.
      runUntil(read());
    }, waitMs);
  }

  function runUntil(untilMs: number): void {
    const outerMs = runningAtMs;
    try {
      for (let [next] = plans; next !== undefined && next.atMs <= untilMs; [next] = plans) {
        plans.shift();
        runningAtMs = Math.max(next.atMs, runningAtMs ?? -Infinity);
        next.run();
      }
    } finally {
      runningAtMs = outerMs === undefined ? undefined : Math.max(outerMs, untilMs);
      if (read() < untilMs) aheadMs = untilMs - wall();
      startTimer();
    }
  }

  return {
    /** While something scheduled runs: the time for which it was scheduled. */
    now,
    /** The time of the machine, which a receiver sees. */
    wall,
    /**
     * Calls `run` once, when the time reaches `atMs`, never before this function has returned. Returns a function that
     * cancels it. Throws `RangeError` when `atMs` is not a time.
     */
    schedule(atMs: number, run: () => void): () => void {
      if (!Number.isFinite(atMs)) throw new RangeError(`Nothing can be scheduled at ${String(atMs)} ms.`);
      if (isStopped) return () => {};
      const plan: Plan = { atMs, run };
      const later = plans.findIndex((other) => other.atMs > atMs);
      plans.splice(later === -1 ? plans.length : later, 0, plan);
      if (plans[0] === plan) startTimer();
      return () => {
        const index = plans.indexOf(plan);
        if (index === -1) return;
        plans.splice(index, 1);
        if (index === 0) startTimer();
      };
    },
    /**
     * Advances the time. Everything that becomes due runs before it returns, in the order of time, including what is
     * scheduled meanwhile. Throws `RangeError` below 0 and above a year.
     */
    advance(byMs: number): void {
      checkAdvance(byMs);
      runUntil(Math.min((runningAtMs ?? read()) + byMs, LATEST_MS));
    },
    /** Cancels everything; the time goes on. */
    reset(): void {
      plans.length = 0;
      startTimer();
    },
    /** Cancels everything, and nothing can be scheduled any more. */
    stop(): void {
      isStopped = true;
      plans.length = 0;
      startTimer();
    },
  };
}

/** Throws `RangeError` when a clock cannot advance by so much. */
export function checkAdvance(byMs: number): void {
  if (byMs >= 0 && byMs <= MAX_ADVANCE_MS) return;
  throw new RangeError(
    `The clock cannot advance by ${String(byMs)} ms: give 0 to ${String(MAX_ADVANCE_MS)} (a year), several times for more.`,
  );
}
