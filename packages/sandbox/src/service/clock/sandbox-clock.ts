import { checkAdvance, checkTimeScale, clockLimits } from './clock-limits.ts';
import { goOn, markEveryMs, type ClockMark, type KeptTime } from './kept-time.ts';
import { createPlanList, type Plan } from './plan-list.ts';

/** The sandbox's own time: it can run faster than the machine's, stand still and be moved on. All times are Unix milliseconds. */
export interface SandboxClock {
  /**
   * Never later than the soonest plan that has not run yet, so that nothing is seen out of order: where the machine
   * cannot keep up with the plans, time is slower than its scale.
   */
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

/** Plans that are run turn by turn. */
interface Stretch {
  readonly untilMs: number;
  /** When it began, by the machine's time. */
  readonly sinceWallMs: number;
}

/**
 * A machine that slept, or whose clock was set, is noticed so soon; and a plan may be further away than the 2^31 ms
 * that a timer takes.
 */
const longestWaitMs = 60_000;
/** So long (of the machine's time) plans are run by its timer before everything else has its turn. */
const longestTurnMs = 10;
/** So much (of the sandbox's time) is made up for, at most, of what passed while plans ran: they never run after their own delay. */
const mostMadeUpForMs = 60_000;
/** A difference that nobody misses is not written. */
const worthKeepingMs = 1000;

/**
 * A clock that goes on with what is `kept`, frozen or not; without that it starts at the machine's time. A `timeScale`
 * wins over the kept one; the default is 1. Throws `RangeError` when the scale is none.
 */
export function createSandboxClock(wall: () => number, timeScale?: number, kept?: KeptTime): SandboxClock {
  const firstScale = timeScale ?? 1;
  checkTimeScale(firstScale);
  let baseWallMs = wall();
  const asMachine = { wallMs: baseWallMs, nowMs: baseWallMs, timeScale: 1, isFrozen: false, isStopped: true };
  const first = kept?.read() ?? asMachine;
  let baseMs = goOn(first, baseWallMs);
  let scale = timeScale ?? first.timeScale;
  let { isFrozen } = first;
  let isStopped = false;
  /** What `now` is while plans run. */
  let heldMs: number | undefined;
  let runningSinceMs = baseMs;
  let timer: NodeJS.Timeout | undefined;
  /** Present between the turns: time stands still meanwhile. */
  let stretch: Stretch | undefined;
  const plans = createPlanList();

  const now = (): number => Math.floor(heldMs ?? Math.min(read(), plans.first()?.atMs ?? Infinity));

  /** The time without regard to what has not run yet. */
  function read(wallMs = wall()): number {
    const passedMs = isFrozen || stretch !== undefined ? 0 : (wallMs - baseWallMs) * scale;
    return Math.min(baseMs + passedMs, clockLimits.latestMs);
  }

  function rebase(nowMs: number): void {
    baseMs = nowMs;
    baseWallMs = wall();
  }

  /** What has to follow every change of the clock or its plans. */
  function settle(): void {
    if (kept !== undefined && heldMs === undefined) leaveMark(kept);
    arm();
  }

  function leaveMark(place: KeptTime): void {
    const wallMs = wall();
    const mark = { wallMs, nowMs: read(wallMs), timeScale: scale, isFrozen, isStopped };
    if (isWorthKeeping(mark, place.read() ?? asMachine)) place.write(mark);
  }

  function isWorthKeeping(mark: ClockMark, last: ClockMark): boolean {
    if (mark.timeScale !== last.timeScale || mark.isFrozen !== last.isFrozen) return true;
    if (Math.abs(goOn(last, mark.wallMs) - mark.nowMs) >= worthKeepingMs) return true;
    const isNews = mark.isStopped !== last.isStopped || mark.wallMs - last.wallMs >= markEveryMs;
    return isDrifting() && isNews;
  }

  /** Whether the machine's clock alone does not tell the time. */
  function isDrifting(): boolean {
    return !isFrozen && scale !== 1;
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
      const untilMs = Math.max(read(), isFrozen ? startMs : startMs + waitMs * scale);
      stretch ??= { untilMs, sinceWallMs: wall() };
      runPlans(stretch, longestTurnMs);
    }, waitMs);
  }

  function findWait(nowMs: number): number | undefined {
    if (stretch !== undefined) return 0;
    const leftMs = Math.max(0, (plans.first()?.atMs ?? Infinity) - nowMs);
    const waitMs = leftMs > 0 && isFrozen ? Infinity : leftMs / scale;
    if (kept !== undefined && isDrifting()) return Math.min(waitMs, markEveryMs);
    return waitMs === Infinity ? undefined : Math.min(waitMs, longestWaitMs);
  }

  function runPlans({ untilMs, sinceWallMs }: Stretch, turnMs = Infinity): void {
    const outerMs = heldMs;
    const turnEndMs = performance.now() + turnMs;
    let isOver = false;
    try {
      let next = plans.first();
      for (; next !== undefined && next.atMs <= untilMs && !isOver; next = plans.first()) {
        plans.takeFirst();
        heldMs = Math.max(next.atMs, heldMs ?? -Infinity);
        baseMs = Math.max(baseMs, heldMs);
        baseWallMs = wall();
        next.run();
        isOver = performance.now() >= turnEndMs;
      }
      if (next === undefined || next.atMs > untilMs) end(untilMs, sinceWallMs);
    } finally {
      heldMs = outerMs === undefined ? undefined : Math.max(outerMs, untilMs);
      settle();
    }
  }

  function end(untilMs: number, sinceWallMs: number): void {
    if (stretch !== undefined && stretch.untilMs <= untilMs) stretch = undefined;
    const passedMs = isFrozen || stretch !== undefined ? 0 : (wall() - sinceWallMs) * scale;
    const madeUpForMs = Math.max(0, Math.min(passedMs, mostMadeUpForMs));
    rebase(Math.min(Math.max(baseMs, untilMs) + madeUpForMs, clockLimits.latestMs));
  }

  function change({ timeScale: wanted = scale, isFrozen: isWantedFrozen = isFrozen }: ClockChange): void {
    checkTimeScale(wanted);
    const isOther = wanted !== scale || isWantedFrozen !== isFrozen;
    // Whoever changes it has seen the time as it is now, not the plans that are behind.
    rebase(isOther ? Math.max(baseMs, now()) : read());
    if (isOther) stretch = undefined;
    scale = wanted;
    isFrozen = isWantedFrozen;
    settle();
  }

  settle();
  return {
    now,
    wall,
    schedule(atMs, run) {
      if (!Number.isFinite(atMs)) throw new RangeError(`Nothing can be scheduled at ${String(atMs)} ms.`);
      if (isStopped) return () => {};
      const plan: Plan = { atMs, run };
      plans.add(plan);
      if (plans.first() === plan) settle();
      return () => {
        const wasFirst = plans.first() === plan;
        plans.remove(plan);
        if (wasFirst) arm();
      };
    },
    advance(byMs) {
      checkAdvance(byMs);
      const untilMs = Math.min((heldMs ?? read()) + byMs, clockLimits.latestMs);
      runPlans({ untilMs, sinceWallMs: wall() });
    },
    change,
    describe: () => ({ nowMs: now(), timeScale: scale, isFrozen }),
    runningSince: () => runningSinceMs,
    reset() {
      plans.clear();
      change({ timeScale: firstScale, isFrozen: false });
    },
    stop() {
      isStopped = true;
      plans.clear();
      rebase(read());
      settle();
    },
  };
}
