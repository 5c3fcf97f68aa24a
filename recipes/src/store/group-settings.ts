import type { createGroupedWriter } from '@aftermeet/queue';

type GroupSettings = Parameters<typeof createGroupedWriter<unknown, unknown>>[1];

/**
 * How a worker's steps are grouped. It waits patiently for a store that is away: what it does not store now it would
 * have to find out later. A claim that is applied long after its caller has given up does no harm: its lease, counted
 * from the caller's time, is over by then, and the next claim is a probe.
 */
export const groupSettings: GroupSettings = {
  maxGroup: 64,
  maxGroupSize: 64,
  maxInFlight: 2,
  maxWaiting: 100_000,
  maxWaitingSize: 100_000,
  startWithinMs: 35_000,
  answerWithinMs: 45_000,
  sizeOf: () => 1,
};
