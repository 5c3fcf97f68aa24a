import type { Cells, Swap } from './cells.ts';
import { type LaneState, laneStateSchema, startLane } from './lane-state.ts';
import type { Admission, Lane } from './lanes.ts';
import { type LaneCommand, moveLane } from './move-lane.ts';

/** Something that is wanted of a lane, at a moment in milliseconds since 1970. */
export interface LaneStep {
  readonly lane: Lane;
  readonly command: LaneCommand;
  readonly nowMs: number;
}

export interface LaneStore {
  /** Takes the steps in their order, together with what other workers do. One round trip when nobody else is there. */
  take(steps: readonly LaneStep[]): Promise<readonly Admission[]>;
}

interface KnownLane {
  readonly text: string | undefined;
  readonly state: LaneState | undefined;
}

const unknownLane: KnownLane = { text: undefined, state: undefined };
const mostKnown = 10_000;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Lanes in cells. What was last seen of a lane is remembered, so that mostly the first swap succeeds; where another
 * worker came first, its state is what the rules are applied to again.
 */
export function createLaneStore(cells: Cells): LaneStore {
  const known = new Map<string, KnownLane>();
  const remember = (name: string, lane: KnownLane): void => {
    known.delete(name);
    known.set(name, lane);
    const [oldest] = known.keys();
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
  };
  return {
    async take(steps) {
      const answers = new Map<LaneStep, Admission>();
      let waiting = groupByLane(steps);
      while (waiting.length > 0) {
        const moves = waiting.map(([name, ofLane]) => moveAll(name, known.get(name) ?? unknownLane, ofLane));
        const nowMs = Math.max(...moves.map((move) => move.nowMs));
        const found = await cells.swap(
          moves.map(({ swap }) => swap),
          nowMs,
        );
        for (const [index, { name, swap, state, answered }] of moves.entries()) {
          const text = found[index];
          if (text !== undefined) {
            remember(name, { text, state: readState(text) });
            continue;
          }
          remember(name, { text: swap.next, state });
          for (const [step, answer] of answered) answers.set(step, answer);
        }
        waiting = waiting.filter((_, index) => found[index] !== undefined);
      }
      return steps.flatMap((step) => answers.get(step) ?? []);
    },
  };
}

function groupByLane(steps: readonly LaneStep[]): readonly (readonly [string, readonly LaneStep[]])[] {
  const groups = new Map<string, LaneStep[]>();
  for (const step of steps) {
    const group = groups.get(step.lane.name);
    if (group === undefined) groups.set(step.lane.name, [step]);
    else group.push(step);
  }
  return [...groups];
}

function moveAll(name: string, lane: KnownLane, steps: readonly LaneStep[]) {
  let nowMs = 0;
  let state = lane.state;
  const answered: (readonly [LaneStep, Admission])[] = [];
  for (const step of steps) {
    nowMs = Math.max(nowMs, step.nowMs);
    const moment = { nowMs: step.nowMs, gapMs: step.lane.gapMs };
    const move = moveLane(state ?? startLane(step.nowMs), step.command, moment);
    state = move.state;
    answered.push([step, move.answer]);
  }
  const settled = state ?? startLane(nowMs);
  const swap: Swap = {
    name: `lane:${name}`,
    known: lane.text,
    next: JSON.stringify(settled),
    keepMs: Math.max(settled.tailMs + settled.offsetMs - nowMs, 0) + dayMs,
  };
  return { name, swap, state: settled, answered, nowMs };
}

/** A text that is no state of a lane is replaced. */
function readState(text: string): LaneState | undefined {
  try {
    return laneStateSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
