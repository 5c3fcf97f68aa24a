/** May an effect go to its destination now? Whoever goes gives its place back with `leave`. */
type Admission =
  | { readonly kind: 'go'; readonly leave: () => void }
  | { readonly kind: 'wait'; readonly forMs: number; readonly cause: string };

export interface Visit {
  readonly effectKey: string;
  /** What shares a limit, such as one Slack channel. */
  readonly lane: string;
  /** Milliseconds between two effects of that lane. */
  readonly gapMs: number;
  /** What shares the places, such as all of Slack. */
  readonly destination: string;
  readonly startedTimes: number;
}

export interface Pace {
  enter(visit: Visit): Admission;
  /** A destination asked for a pause of this lane. */
  pause(lane: string, forMs: number): void;
}

interface Lane {
  nextFreeMs: number;
  pausedUntilMs: number;
  /** When an effect that was told to wait may go. */
  readonly slots: Map<string, number>;
}

const staleSlotMs = 60_000;
const longestWaitMs = 30_000;

/**
 * Keeps each lane to its rate and each destination to its share of the worker, so that a slow or
 * limited destination delays its own effects only. It counts for one process; what several of them
 * exceed together, the destination's own 429 corrects.
 */
export function createPace(placesPerDestination: number, clock: () => number): Pace {
  const lanes = new Map<string, Lane>();
  const busy = new Map<string, number>();
  const laneOf = (name: string): Lane => {
    const lane = lanes.get(name) ?? { nextFreeMs: 0, pausedUntilMs: 0, slots: new Map<string, number>() };
    lanes.set(name, lane);
    return lane;
  };
  return {
    enter({ effectKey, lane: name, gapMs, destination, startedTimes }) {
      const nowMs = clock();
      const lane = laneOf(name);
      if (lane.pausedUntilMs > nowMs) {
        return { kind: 'wait', forMs: lane.pausedUntilMs - nowMs, cause: `${destination} asked for a pause` };
      }
      const taken = busy.get(destination) ?? 0;
      if (taken >= placesPerDestination) {
        const forMs = Math.min(500 * 1.5 ** Math.min(startedTimes, 20), longestWaitMs);
        return { kind: 'wait', forMs: Math.round(forMs), cause: `${destination} is busy with others` };
      }
      const slotMs = takeSlot(lane, effectKey, gapMs, nowMs);
      if (slotMs > nowMs) {
        return { kind: 'wait', forMs: slotMs - nowMs, cause: `its turn at ${destination} comes later` };
      }
      lane.slots.delete(effectKey);
      busy.set(destination, taken + 1);
      return { kind: 'go', leave: () => busy.set(destination, (busy.get(destination) ?? 1) - 1) };
    },
    pause(name, forMs) {
      const lane = laneOf(name);
      lane.pausedUntilMs = Math.max(lane.pausedUntilMs, clock() + forMs);
    },
  };
}

function takeSlot(lane: Lane, effectKey: string, gapMs: number, nowMs: number): number {
  const known = lane.slots.get(effectKey);
  if (known !== undefined) return known;
  for (const [key, slotMs] of lane.slots) if (slotMs < nowMs - staleSlotMs) lane.slots.delete(key);
  const slotMs = Math.max(lane.nextFreeMs, nowMs);
  lane.nextFreeMs = slotMs + gapMs;
  lane.slots.set(effectKey, slotMs);
  return slotMs;
}
