import { Counter, Histogram, Registry } from 'prom-client';

import type { WorkerStep } from './outcome.ts';

/** Seconds; from a delivery to its effect everything between an idle system and three days of patience occurs. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3600, 86_400];

/** Counts what a worker does, for Prometheus. */
export interface WorkerMetrics {
  readonly count: (step: WorkerStep) => void;
  /** The text format of Prometheus, version 0.0.4. */
  readonly render: () => Promise<string>;
}

/** The metrics of one worker process. Labels are of a few fixed words: no ids, no addresses. */
export function createWorkerMetrics(destinations: readonly string[]): WorkerMetrics {
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
  for (const destination of destinations) {
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
          effects.inc({ destination: step.destination, outcome: step.isNew ? 'sent' : 'found' });
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
        case 'effect_probed':
        default:
          probes.inc({ destination: step.destination, result: step.result });
      }
    },
    render: () => registry.metrics(),
  };
}
