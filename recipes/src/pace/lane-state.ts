import { z } from 'zod';

/**
 * What the store keeps of a lane. Turns are in lane time: the clock minus `offsetMs`. Whatever makes the whole line
 * late (a pause, one that comes in between, an hour without workers) makes the offset grow, so that everybody comes
 * later by the same and nobody's turn must be changed. Lane time passes only where a turn was given, so a line is
 * never further behind than its own length.
 */
export const laneStateSchema = z.object({
  offsetMs: z.number(),
  /** Lane time: the next turn that is free at the end. */
  tailMs: z.number(),
  /** Lane time: the last turn of the line that has gone. Who comes with an earlier one has missed it. */
  headMs: z.number(),
  /** Lane time: the next place at the front, for those that missed their turn or come back. */
  frontMs: z.number(),
  /** The clock. */
  lastGoMs: z.number(),
  closedUntilMs: z.number(),
});

export type LaneState = Readonly<z.output<typeof laneStateSchema>>;

/** A lane that nobody knows yet: turns that an earlier state of it gave count as missed. */
export function startLane(nowMs: number): LaneState {
  return { offsetMs: 0, tailMs: nowMs, headMs: nowMs - 1, frontMs: nowMs, lastGoMs: 0, closedUntilMs: 0 };
}
