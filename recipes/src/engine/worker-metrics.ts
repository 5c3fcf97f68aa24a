import { monitorEventLoopDelay } from 'node:perf_hooks';

import { Counter, Gauge, Histogram, Registry } from 'prom-client';

import type { WorkerStep } from './outcome.ts';

/** Seconds; from a delivery to its effect everything between an idle system and three days of patience occurs. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3600, 86_400];

/** Counts what a worker does, for Prometheus. */
export interface WorkerMetrics {
  readonly count: (step: WorkerStep) => void;
  /** The text format of Prometheus, version 0.0.4. */
  readonly render: () => Promise<string>;
  readonly close: () => void;
}

/** What is read when the metrics are. */
export interface WorkerState {
  /** How far the worker's clock is behind the store's. */
  readonly skewMs: number;
  readonly queues: readonly {
    /** `event`, or a destination. */
    readonly name: string;
    readonly jobs: Readonly<Record<string, number>>;
    /** The age of the job that waits longest for a worker; 0: none waits. */
    readonly oldestMs: number;
  }[];
}

/** The metrics of one worker process. Labels are of a few fixed words: no ids, no addresses. */
export function createWorkerMetrics(
  destinations: readonly string[],
  readState?: () => Promise<WorkerState | undefined>,
): WorkerMetrics {
  const registry = new Registry();
  const registers = [registry];
  const effects = new Counter({
    name: 'aftermeet_effects_total',
    help: 'Effects that are over, by outcome.',
    labelNames: ['destination', 'outcome'],
    registers,
  });
  const reports = new Counter({
    name: 'aftermeet_reports_fetched_total',
    help: 'Reports fetched from the service.',
    registers,
  });
  const reportSeconds = new Counter({
    name: 'aftermeet_report_seconds_total',
    help: 'Seconds spent fetching them.',
    registers,
  });
  const waits = new Counter({
    name: 'aftermeet_effect_waits_total',
    help: 'How often an effect was put aside, by reason.',
    labelNames: ['destination', 'why'],
    registers,
  });
  const probes = new Counter({
    name: 'aftermeet_effect_probes_total',
    help: 'Lookups of an unsettled effect at its destination, by result.',
    labelNames: ['destination', 'result'],
    registers,
  });
  const seconds = new Histogram({
    name: 'aftermeet_effect_seconds',
    help: 'Seconds from a delivery to its effect.',
    labelNames: ['destination'],
    buckets: BUCKETS,
    registers,
  });
  const circuits = new Gauge({
    name: 'aftermeet_circuit_open',
    help: '1 while nothing is sent because the destination does not answer, or refuses our token.',
    labelNames: ['destination', 'why'],
    registers,
  });
  const jobs = new Gauge({
    name: 'aftermeet_queue_jobs',
    help: 'Jobs by state. Each worker shows those of the whole queue.',
    labelNames: ['queue', 'state'],
    registers,
  });
  const oldest = new Gauge({
    name: 'aftermeet_queue_oldest_seconds',
    help: 'Age of the job that waits longest for a worker; 0: none waits.',
    labelNames: ['queue'],
    registers,
  });
  const skew = new Gauge({
    name: 'aftermeet_worker_clock_skew_seconds',
    help: "How far the worker's clock is behind the store's.",
    registers,
  });
  const lag = new Gauge({
    name: 'aftermeet_event_loop_lag_seconds',
    help: 'The longest delay of the event loop since the last reading.',
    registers,
  });
  const heartbeat = new Gauge({
    name: 'aftermeet_worker_heartbeat_seconds',
    help: 'When this worker was read, seconds since 1970.',
    registers,
  });
  const delays = monitorEventLoopDelay({ resolution: 20 });
  delays.enable();
  const readGauges = async (): Promise<void> => {
    lag.set(delays.max / 1e9);
    delays.reset();
    heartbeat.setToCurrentTime();
    const state = await readState?.();
    if (state === undefined) return;
    skew.set(state.skewMs / 1000);
    for (const queue of state.queues) {
      for (const [name, count] of Object.entries(queue.jobs))
        jobs.set({ queue: queue.name, state: name }, count);
      oldest.set({ queue: queue.name }, queue.oldestMs / 1000);
    }
  };
  for (const destination of destinations) {
    for (const why of ['open', 'refused']) circuits.set({ destination, why }, 0);
    for (const outcome of ['sent', 'found', 'skipped', 'failed', 'held'])
      effects.inc({ destination, outcome }, 0);
    seconds.zero({ destination });
  }

  return {
    count(step) {
      switch (step.kind) {
        case 'report_fetched':
          reports.inc();
          reportSeconds.inc(Math.max(step.elapsedMs, 0) / 1000);
          break;
        case 'effect_sent':
          effects.inc({ destination: step.destination, outcome: step.sentNow ? 'sent' : 'found' });
          seconds.observe({ destination: step.destination }, step.elapsedMs / 1000);
          break;
        case 'effect_skipped':
          effects.inc({ destination: step.destination, outcome: 'skipped' });
          break;
        case 'effect_held':
          effects.inc({ destination: step.destination, outcome: 'held' });
          break;
        case 'effect_failed':
          effects.inc({ destination: step.destination, outcome: 'failed' });
          break;
        case 'effect_waiting':
          waits.inc({ destination: step.destination, why: step.why });
          break;
        case 'circuit_changed':
          for (const why of ['open', 'refused'])
            circuits.set({ destination: step.destination, why }, step.state === why ? 1 : 0);
          break;
        case 'effect_probed':
        default:
          probes.inc({ destination: step.destination, result: step.result });
      }
    },
    render: async () => {
      // While the store is away, the last figures stand.
      await readGauges().catch(() => undefined);
      return await registry.metrics();
    },
    close: () => delays.disable(),
  };
}
