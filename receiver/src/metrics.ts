import { Counter, Gauge, Histogram, Registry } from 'prom-client';

import type { Endpoints } from './endpoints.ts';
import type { LoopLag } from './loop-lag.ts';
import { type HeaderMismatch, statuses } from './outcome.ts';

/** `Content-Type` of the text that Prometheus reads. */
export const METRICS_CONTENT_TYPE: string = Registry.PROMETHEUS_CONTENT_TYPE;

/** Counts what one receiver does. */
export interface ReceiverMetrics {
  /** `seconds` from the head of the delivery to its answer. */
  countAnswer(outcome: string, seconds: number): void;
  countConflict(): void;
  countMismatch(header: HeaderMismatch): void;
  countRefusedCause(cause: string): void;
  countDroppedConnection(): void;
  /** Adds to the bytes that bodies occupy; a negative number subtracts. */
  addHeldBytes(bytes: number): void;
  /** The metrics as Prometheus text. */
  render(): Promise<string>;
}

/** Each receiver has a registry of its own, so that several can run in one process. */
export function createReceiverMetrics(
  endpoints?: Endpoints,
  lag?: Pick<LoopLag, 'seconds'>,
): ReceiverMetrics {
  const registry = new Registry();
  const registers = [registry];
  const outcomes = new Counter({
    name: 'aftermeet_deliveries_total',
    help: 'Requests to a hook address, by what became of them.',
    labelNames: ['outcome'],
    registers,
  });
  // A series that appears late hides its first step from a rate, so each begins at 0.
  for (const outcome of Object.keys(statuses)) outcomes.inc({ outcome }, 0);
  const conflicts = new Counter({
    name: 'aftermeet_delivery_conflicts_total',
    help: 'Stored deliveries whose id was used for another body before.',
    registers,
  });
  const mismatches = new Counter({
    name: 'aftermeet_delivery_mismatches_total',
    help: 'Stored deliveries with a header that does not fit the body.',
    labelNames: ['header'],
    registers,
  });
  for (const header of ['event', 'content_type'] satisfies HeaderMismatch[]) mismatches.inc({ header }, 0);
  const refusedCauses = new Counter({
    name: 'aftermeet_refused_causes_total',
    help: 'Refused verifications, by cause.',
    labelNames: ['cause'],
    registers,
  });
  const seconds = new Histogram({
    name: 'aftermeet_delivery_seconds',
    help: 'Seconds from the head of a delivery to its answer.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  // Changes twice per delivery, so it is a plain number that is read at the scrape.
  let heldBytes = 0;
  addGauge('aftermeet_held_bytes', 'Bytes of bodies that arrive or wait for the store.', () => heldBytes);
  const served: Gauge = new Gauge({
    name: 'aftermeet_endpoint_served',
    help: 'Endpoints: 1 for one that takes deliveries, 0 for one that was removed.',
    labelNames: ['endpoint'],
    registers,
    collect() {
      served.reset();
      for (const endpoint of endpoints?.removed?.keys() ?? []) served.set({ endpoint }, 0);
      for (const endpoint of endpoints?.byName.keys() ?? []) served.set({ endpoint }, 1);
    },
  });
  addGauge(
    'aftermeet_event_loop_lag_seconds',
    'How late the event loop was last.',
    () => lag?.seconds() ?? 0,
  );
  const droppedConnections = new Counter({
    name: 'aftermeet_connections_dropped_total',
    help: 'Connections closed because there were too many.',
    registers,
  });
  addGauge('aftermeet_processes', 'Receiver processes in these figures.', () => 1);
  addGauge('process_resident_memory_bytes', 'Resident memory of this process.', () =>
    process.memoryUsage.rss(),
  );
  addGauge('process_start_time_seconds', 'Unix time at which this process started.', () =>
    Math.round(performance.timeOrigin / 1000),
  );

  function addGauge(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(read()) });
  }

  return {
    countAnswer(outcome, elapsedSeconds) {
      outcomes.inc({ outcome });
      seconds.observe(elapsedSeconds);
    },
    countConflict: () => conflicts.inc(),
    countMismatch: (header) => mismatches.inc({ header }),
    countRefusedCause: (cause) => refusedCauses.inc({ cause }),
    countDroppedConnection: () => droppedConnections.inc(),
    addHeldBytes(bytes) {
      heldBytes += bytes;
    },
    render: () => registry.metrics(),
  };
}
