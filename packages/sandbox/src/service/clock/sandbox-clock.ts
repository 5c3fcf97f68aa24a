import { checkAdvance, checkTimeScale, clockLimits } from './clock-limits.ts';
import { createPlanList, type Plan } from './plan-list.ts';

/** The sandbox's own time: it can run faster than the machine's, stand still and be moved on. All times are Unix milliseconds. */
export interface SandboxClock {
  /** Never later than the soonest plan that has not run yet, so that nothing is seen out of order. */
  readonly now: () => number;
  /** The machine's time: what a receiver's clock shows. */
  readonly wall: () => number;
  /**
   * Calls `run` once, when the sandbox's time reaches `atMs`, never before this function has returned; `now` is that
   * time while it runs. Returns what takes it back. What is due while time stands still runs all the same. Throws
   * `RangeError` when `atMs` is no time.
   */
  readonly schedule: (atMs: number, run: () => void) => () => void;
  /**
   * Moves on; everything that becomes due runs before it returns, in the order of time, plans that plans make
   * included. Throws `RangeError` below 0 and above a year.
   */
  readonly advance: (byMs: number) => void;
  /** Throws `RangeError`, and changes nothing, when the scale is none. */
  readonly change: (change: ClockChange) => void;
  readonly describe: () => ClockView;
  /** Since when, in its own time, it has run without a break: since it was made, or since the machine woke up. */
  readonly runningSince: () => number;
  /** Takes back everything that is scheduled; scale and frozen are as at the start. Time itself goes on. */
  readonly reset: () => void;
  /** Takes back everything; nothing is scheduled any more. */
  readonly stop: () => void;
}

interface ClockChange {
  /** How many milliseconds of the sandbox pass in one of the machine; more than 0, at most a million. */
  readonly timeScale?: number | undefined;
  readonly isFrozen?: boolean | undefined;
}

interface ClockView {
  readonly nowMs: number;
  readonly timeScale: number;
  readonly isFrozen: boolean;
}

/** How far the sandbox's time is ahead of the machine's, in milliseconds; what another process may go on with. */
export interface KeptOffset {
  readonly read: () => number;
  readonly write: (offsetMs: number) => void;
}

/**
 * A machine that slept, or whose clock was set, is noticed so soon; and a plan may be further away than the 2^31 ms
 * that a timer takes.
 */
const longestWaitMs = 60_000;
/** A difference that nobody misses is not written. */
const worthKeepingMs = 1000;

/** A clock that starts at the machine's time, or as far ahead of it as `kept` says. Throws `RangeError` when the scale is none. */
export function createSandboxClock(wall: () => number, timeScale = 1, kept?: KeptOffset): SandboxClock {
  checkTimeScale(timeScale);
  let scale = timeScale;
  let isFrozen = false;
  let isStopped = false;
  let baseWallMs = wall();
  let baseMs = baseWallMs + (kept?.read() ?? 0);
  /** What `now` is while plans run. */
  let heldMs: number | undefined;
  let runningSinceMs = baseMs;
  let timer: NodeJS.Timeout | undefined;
  const plans = createPlanList();

  const now = (): number => Math.floor(heldMs ?? Math.min(read(), plans.first()?.atMs ?? Infinity));

  /** The time without regard to what has not run yet. */
  function read(): number {
    const passedMs = isFrozen ? 0 : (wall() - baseWallMs) * scale;
    return Math.min(baseMs + passedMs, clockLimits.latestMs);
  }

  function rebase(nowMs: number): void {
    baseMs = nowMs;
    baseWallMs = wall();
  }

  /** What has to follow every change of the clock or its plans. */
  function settle(): void {
    const offsetMs = baseMs - baseWallMs;
    if (kept !== undefined && Math.abs(offsetMs - kept.read()) >= worthKeepingMs) kept.write(offsetMs);
    arm();
  }

  /** One timer of the machine, for the soonest plan or the next look at its clock. */
  function arm(): void {
    clearTimeout(timer);
    timer = undefined;
    if (isStopped || heldMs !== undefined) return;
    const startMs = read();
    const waitMs = findWait(startMs);
    if (waitMs === undefined) return;
    const dueWallMs = wall() + waitMs;
    timer = setTimeout(() => {
      if (wall() - dueWallMs > longestWaitMs) runningSinceMs = read();
      // Timers of the machine may fire a moment early, and its clock may stand still in a test: what was waited for has passed.
      runUntil(Math.max(read(), isFrozen ? startMs : startMs + waitMs * scale));
    }, waitMs);
  }

  function findWait(nowMs: number): number | undefined {
    const leftMs = Math.max(0, (plans.first()?.atMs ?? Infinity) - nowMs);
    const waitMs = leftMs > 0 && isFrozen ? Infinity : leftMs / scale;
    const isDrifting = kept !== undefined && (isFrozen || scale !== 1);
    return waitMs === Infinity && !isDrifting ? undefined : Math.min(waitMs, longestWaitMs);
  }

  function runUntil(untilMs: number): void {
    const isWithinRun = heldMs !== undefined;
    try {
      for (let next = plans.first(); next !== undefined && next.atMs <= untilMs; next = plans.first()) {
        plans.takeFirst();
        rebase(Math.max(read(), next.atMs));
        heldMs = Math.max(next.atMs, heldMs ?? -Infinity);
        next.run();
      }
      rebase(Math.max(read(), untilMs));
    } finally {
      heldMs = isWithinRun ? untilMs : undefined;
      settle();
    }
  }

  function change({ timeScale: wanted = scale, isFrozen: isWantedFrozen = isFrozen }: ClockChange): void {
    checkTimeScale(wanted);
    rebase(read());
    scale = wanted;
    isFrozen = isWantedFrozen;
    settle();
  }

  arm();
  return {
    now,
    wall,
    schedule(atMs, run) {
      if (!Number.isFinite(atMs)) throw new RangeError(`Nothing can be scheduled at ${String(atMs)} ms.`);
      if (isStopped) return () => {};
      const plan: Plan = { atMs, run };
      plans.add(plan);
      if (plans.first() === plan) arm();
      return () => {
        const wasFirst = plans.first() === plan;
        plans.remove(plan);
        if (wasFirst) arm();
      };
    },
    advance(byMs) {
      checkAdvance(byMs);
      runUntil(Math.min((heldMs ?? read()) + byMs, clockLimits.latestMs));
    },
    change,
    describe: () => ({ nowMs: now(), timeScale: scale, isFrozen }),
    runningSince: () => runningSinceMs,
    reset() {
      plans.clear();
      change({ timeScale, isFrozen: false });
    },
    stop() {
      isStopped = true;
      plans.clear();
      rebase(read());
      settle();
    },
  };
}
