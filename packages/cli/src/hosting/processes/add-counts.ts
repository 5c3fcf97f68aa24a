import type { MeterReading } from '@aftermeet/receiver';

/**
 * A reading with the counts of a process that is gone on top. Without them the sums would fall when a process
 * dies, and what reads them takes that for a new start of all.
 */
export function addCounts(reading: MeterReading, gone: MeterReading): MeterReading {
  return {
    ...reading,
    outcomes: addUp(reading.outcomes, gone.outcomes),
    refusedCauses: addUp(reading.refusedCauses, gone.refusedCauses),
    conflicts: reading.conflicts + gone.conflicts,
    connectionsDropped: reading.connectionsDropped + gone.connectionsDropped,
    seconds: {
      counts: reading.seconds.counts.map((count, slot) => count + (gone.seconds.counts[slot] ?? 0)),
      sum: reading.seconds.sum + gone.seconds.sum,
    },
    startedAtSeconds: Math.min(reading.startedAtSeconds, gone.startedAtSeconds),
  };
}

/** The counts of all that are gone, with those of one more; what it occupied it gave back. */
export function keepCounts(
  gone: MeterReading | undefined,
  last: MeterReading | undefined,
): MeterReading | undefined {
  if (last === undefined) return gone;
  const counts = { ...last, heldBytes: 0, residentBytes: 0 };
  return gone === undefined ? counts : addCounts(counts, gone);
}

type Counts = Readonly<Record<string, number>>;

function addUp(one: Counts, other: Counts): Counts {
  const sums = new Map(Object.entries(one));
  for (const [name, count] of Object.entries(other)) sums.set(name, (sums.get(name) ?? 0) + count);
  return Object.fromEntries(sums);
}
