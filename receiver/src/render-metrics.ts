import { type MeterReading, SECONDS_BOUNDS } from './delivery-meter.ts';
import { statuses } from './outcome.ts';

/** `Content-Type` of what `renderMetrics` writes. */
export const METRICS_CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * The readings of all processes of a receiver, added up, as Prometheus text
 * (https://prometheus.io/docs/instrumenting/exposition_formats/, version 0.0.4).
 * Every outcome is there from the start, with 0: a rate over a series that appears late misses its first step.
 */
export function renderMetrics(readings: readonly MeterReading[]): string {
  const add = (value: (reading: MeterReading) => number): number =>
    readings.reduce((sum, reading) => sum + value(reading), 0);
  const none = Object.fromEntries(Object.keys(statuses).map((outcome) => [outcome, 0]));
  const outcomes = addUp([none, ...readings.map((reading) => reading.outcomes)]);
  const causes = addUp(readings.map(({ refusedCauses }) => refusedCauses));
  const starts = readings.map(({ startedAtSeconds }) => startedAtSeconds);

  return [
    ...describe(
      'aftermeet_deliveries_total',
      'counter',
      'Requests to a hook address, by what became of them.',
    ),
    ...outcomes.map(([outcome, n]) => `aftermeet_deliveries_total{outcome="${outcome}"} ${n}`),
    ...single(
      'aftermeet_delivery_conflicts_total',
      'counter',
      'Stored deliveries whose id was used for another body before.',
      add((r) => r.conflicts),
    ),
    ...describe('aftermeet_refused_causes_total', 'counter', 'Refused verifications, by cause.'),
    ...causes.map(([cause, n]) => `aftermeet_refused_causes_total{cause="${cause}"} ${n}`),
    ...describe(
      'aftermeet_delivery_seconds',
      'histogram',
      'Seconds from the head of a delivery to its answer.',
    ),
    ...histogram('aftermeet_delivery_seconds', readings),
    ...single(
      'aftermeet_held_bytes',
      'gauge',
      'Bytes of bodies that arrive or wait for the store.',
      add((r) => r.heldBytes),
    ),
    ...single(
      'aftermeet_connections_dropped_total',
      'counter',
      'Connections closed because there were too many.',
      add((r) => r.connectionsDropped),
    ),
    ...single('aftermeet_processes', 'gauge', 'Receiver processes in these figures.', readings.length),
    ...single(
      'process_resident_memory_bytes',
      'gauge',
      'Resident memory, all processes together.',
      add((r) => r.residentBytes),
    ),
    ...single(
      'process_start_time_seconds',
      'gauge',
      'Unix time at which the oldest process began.',
      starts.length === 0 ? 0 : Math.min(...starts),
    ),
    '',
  ].join('\n');
}

function histogram(name: string, readings: readonly MeterReading[]): readonly string[] {
  let below = 0;
  const counts = [...SECONDS_BOUNDS.map(String), '+Inf'].map((bound, slot) => {
    for (const { seconds } of readings) below += seconds.counts[slot] ?? 0;
    return `${name}_bucket{le="${bound}"} ${below}`;
  });
  const sum = readings.reduce((total, { seconds }) => total + seconds.sum, 0);
  return [...counts, `${name}_sum ${sum}`, `${name}_count ${below}`];
}

function single(name: string, type: 'counter' | 'gauge', help: string, value: number): readonly string[] {
  return [...describe(name, type, help), `${name} ${value}`];
}

function describe(name: string, type: 'counter' | 'gauge' | 'histogram', help: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

/** Labels are words of our own, never anything that a sender wrote, so they need no escaping. */
function addUp(
  counters: readonly Readonly<Record<string, number>>[],
): readonly (readonly [string, number])[] {
  const sums = new Map<string, number>();
  for (const counter of counters) {
    for (const [name, count] of Object.entries(counter)) sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return [...sums];
}
