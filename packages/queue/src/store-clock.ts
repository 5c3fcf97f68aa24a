import type { Log, OutageLog } from './log.ts';

/**
 * The time of a store, which all who use the store share. Between two questions to the store it goes on with the machine's
 * monotonic clock, so a machine's clock that is wrong, or is set, changes nothing.
 */
export interface StoreClock {
  /** Milliseconds since 1970, whole. */
  readonly now: () => number;
  /** How many milliseconds the machine's clock is ahead of the store's. */
  readonly machineAheadMs: () => number;
  /**
   * Resolves at once, but after the machine's clock was set or the machine slept: when the store was asked again, or could
   * not be. Never rejects.
   */
  readonly settled: () => Promise<void>;
  /** Asks the store every ten seconds from now on, for milliseconds since 1970. Returns a function that ends it. */
  readonly follow: (readStoreMs: () => Promise<number>) => () => void;
}

/** The clocks of a machine: milliseconds since 1970, and milliseconds that only go on. */
interface MachineClocks {
  readonly nowMs: () => number;
  readonly elapsedMs: () => number;
}

const systemClocks: MachineClocks = { nowMs: () => Date.now(), elapsedMs: () => performance.now() };

const ASK_EVERY_MS = 10_000;
/** A store that is away is asked more often, to tell when it is back. */
const ASK_AWAY_EVERY_MS = 1000;
/** An answer that took longer proves nothing: the machine may have slept. */
const MAX_TRIP_MS = 2000;
/** The first answers after a start or a sleep can come late: the process is busy, or connections have to be made again. */
const MAX_ASKED = 3;
/** The store's time is corrected by no less, so that it does not jitter. */
const SMALLEST_CORRECTION_MS = 25;
/** The machine's clock was set, or the machine slept, when its two clocks differ by this much more than before. */
const STEP_MS = 500;
/** A machine's clock that is further off is told of. */
const MAX_AHEAD_MS = 5000;

/** Asks the store once. Rejects when it can't be asked. */
export async function openStoreClock(
  readStoreMs: () => Promise<number>,
  { name, log, outage, machine = systemClocks }: StoreClockOptions,
): Promise<StoreClock> {
  const { nowMs, elapsedMs } = machine;
  const aheadLog = createAheadLog(name, log);
  let anchor = await measureFirst(readStoreMs, machine);
  /** How the machine's two clocks differed when the store was asked last. */
  let apartMs = nowMs() - elapsedMs();
  const followed: (() => Promise<number>)[] = [];
  let asking: Promise<void> | undefined;

  const timeAt = (atMs: number): number => anchor.storeMs + atMs - anchor.elapsedMs;
  const machineAheadMs = (): number => Math.round(nowMs() - timeAt(elapsedMs()));
  const hasStepped = (): boolean => Math.abs(nowMs() - elapsedMs() - apartMs) > STEP_MS;

  async function correct(read: () => Promise<number>): Promise<void> {
    const apartBeforeMs = nowMs() - elapsedMs();
    const found = await measure(read, machine);
    // What was measured while the machine slept, or its clock was set, is wrong by as much.
    const isDisturbed = Math.abs(nowMs() - elapsedMs() - apartBeforeMs) > STEP_MS;
    if (found.tripMs > MAX_TRIP_MS || isDisturbed) return;
    const offMs = Math.abs(found.storeMs - timeAt(found.elapsedMs));
    if (offMs > found.tripMs / 2 + SMALLEST_CORRECTION_MS) anchor = found;
    apartMs = nowMs() - elapsedMs();
    aheadLog(machineAheadMs());
  }
  const ask = (read: () => Promise<number>): Promise<void> => {
    asking ??= correct(read)
      // While the store is away, what is known is still the best that is known.
      .then(outage.recovered, outage.failed)
      .finally(() => {
        asking = undefined;
      });
    return asking;
  };

  aheadLog(machineAheadMs());
  return {
    now: () => Math.floor(timeAt(elapsedMs())),
    machineAheadMs,
    settled: async () => {
      for (let times = 0; times < MAX_ASKED && hasStepped(); times += 1) {
        const read = followed.at(-1);
        if (read === undefined) return;
        await ask(read);
      }
    },
    follow(read) {
      followed.push(read);
      let askedMs = elapsedMs();
      const timer = setInterval(() => {
        const everyMs = outage.isAway() ? ASK_AWAY_EVERY_MS : ASK_EVERY_MS;
        if (elapsedMs() - askedMs < everyMs) return;
        askedMs = elapsedMs();
        void ask(read);
      }, ASK_AWAY_EVERY_MS).unref();
      return () => {
        clearInterval(timer);
        followed.splice(followed.indexOf(read), 1);
      };
    },
  };
}

interface StoreClockOptions {
  /** The store's name in the log. */
  readonly name: string;
  readonly log: Log;
  /** Hears whether the store answers. */
  readonly outage: OutageLog;
  readonly machine?: MachineClocks;
}

interface Measurement {
  /** The store's time at a moment of the machine's monotonic clock. */
  readonly storeMs: number;
  readonly elapsedMs: number;
  /** How long the question and its answer took: the time is wrong by half of it at most. */
  readonly tripMs: number;
}

async function measure(
  readStoreMs: () => Promise<number>,
  { elapsedMs }: MachineClocks,
): Promise<Measurement> {
  const askedMs = elapsedMs();
  const readMs = await readStoreMs();
  if (!Number.isFinite(readMs)) throw new Error('the store told no time');
  const answeredMs = elapsedMs();
  const tripMs = answeredMs - askedMs;
  return { storeMs: readMs + tripMs / 2, elapsedMs: answeredMs, tripMs };
}

/** The best of the first answers: until the store is asked again, every lease relies on it. */
async function measureFirst(
  readStoreMs: () => Promise<number>,
  machine: MachineClocks,
): Promise<Measurement> {
  let best = await measure(readStoreMs, machine);
  for (let asked = 1; asked < MAX_ASKED && best.tripMs > MAX_TRIP_MS; asked += 1) {
    // What is known is better than nothing.
    const found = await measure(readStoreMs, machine).catch(() => best);
    if (found.tripMs < best.tripMs) best = found;
  }
  return best;
}

/** Logs once that the machine's clock is off, and once that it is right again. */
function createAheadLog(store: string, log: Log): (aheadMs: number) => void {
  let toldMs = 0;
  return (aheadMs) => {
    const isOff = Math.abs(aheadMs) > MAX_AHEAD_MS;
    if (isOff && Math.abs(aheadMs - toldMs) > MAX_AHEAD_MS) {
      toldMs = aheadMs;
      const aheadSeconds = Math.round(aheadMs / 1000);
      const differs = `${Math.abs(aheadSeconds)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the store's`;
      log.warn(
        { store, aheadSeconds },
        `this machine's clock is ${differs}, whose time counts: set it by NTP`,
      );
    } else if (!isOff && toldMs !== 0) {
      toldMs = 0;
      log.info({ store }, "this machine's clock is right again");
    }
  };
}
