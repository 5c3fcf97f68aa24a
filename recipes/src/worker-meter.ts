import { effectDestinations } from '@aftermeet/queue';

import type { WorkerStep } from './worker-step.ts';

/** Seconds; from a delivery to its effect everything between an idle system and three days of patience occurs. */
const bounds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3600, 86_400] as const;

interface Histogram {
  readonly counts: number[];
  sum: number;
  total: number;
}

/** Counts what a worker does, for Prometheus. */
export interface WorkerMeter {
  readonly count: (step: WorkerStep) => void;
  /** The text format of Prometheus, version 0.0.4. */
  readonly render: () => string;
}

/** One meter for each worker process. Labels are of a few fixed words: no ids, no addresses. */
export function createWorkerMeter(): WorkerMeter {
  const counters = new Map<string, number>();
  const histograms = new Map<string, Histogram>();
  const add = (name: string, labels: string, value = 1): void => {
    const series = `${name}{${labels}}`;
    counters.set(series, (counters.get(series) ?? 0) + value);
  };
  for (const destination of effectDestinations) {
    for (const outcome of ['sent', 'found', 'skipped', 'failed']) {
      add('aftermeet_effects_total', label({ destination, outcome }), 0);
    }
    histograms.set(destination, { counts: bounds.map(() => 0), sum: 0, total: 0 });
  }
  const end = (destination: string, outcome: string): void =>
    add('aftermeet_effects_total', label({ destination, outcome }));

  return {
    count(step) {
      switch (step.kind) {
        case 'report_fetched':
          add('aftermeet_reports_fetched_total', '');
          add('aftermeet_report_seconds_total', '', step.elapsedMs / 1000);
          break;
        case 'effect_sent':
          end(step.destination, step.isNew ? 'sent' : 'found');
          observe(histograms.get(step.destination), step.elapsedMs / 1000);
          break;
        case 'effect_skipped':
          end(step.destination, 'skipped');
          break;
        case 'effect_failed':
          end(step.destination, 'failed');
          break;
        case 'effect_waiting':
          add('aftermeet_effect_waits_total', label({ destination: step.destination, why: step.why }));
          break;
        case 'effect_probed':
        default:
          add('aftermeet_effect_probes_total', label({ destination: step.destination, result: step.result }));
      }
    },
    render: () => [...renderCounters(counters), ...renderHistograms(histograms), ''].join('\n'),
  };
}

function label(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',');
}

function observe(histogram: Histogram | undefined, seconds: number): void {
  if (histogram === undefined) return;
  const place = bounds.findIndex((bound) => seconds <= bound);
  if (place !== -1) histogram.counts[place] = (histogram.counts[place] ?? 0) + 1;
  histogram.sum += seconds;
  histogram.total += 1;
}

const help: Readonly<Record<string, string>> = {
  aftermeet_effects_total: 'Effects that are over, by outcome.',
  aftermeet_reports_fetched_total: 'Reports fetched from the service.',
  aftermeet_report_seconds_total: 'Seconds spent fetching them.',
  aftermeet_effect_waits_total: 'How often an effect was put aside, by reason.',
  aftermeet_effect_probes_total: 'Looks at a destination for an unsettled effect, by result.',
};

function renderCounters(counters: ReadonlyMap<string, number>): string[] {
  return Object.entries(help).flatMap(([name, text]) => {
    const series = [...counters].filter(([key]) => key.startsWith(`${name}{`));
    const lines = series.map(([key, value]) => `${key.replace('{}', '')} ${value}`);
    return [`# HELP ${name} ${text}`, `# TYPE ${name} counter`, ...lines.toSorted()];
  });
}

function renderHistograms(histograms: ReadonlyMap<string, Histogram>): string[] {
  const name = 'aftermeet_effect_seconds';
  const lines = [...histograms].flatMap(([destination, { counts, sum, total }]) => {
    let below = 0;
    const buckets = bounds.map((bound, index) => {
      below += counts[index] ?? 0;
      return `${name}_bucket{destination="${destination}",le="${bound}"} ${below}`;
    });
    return [
      ...buckets,
      `${name}_bucket{destination="${destination}",le="+Inf"} ${total}`,
      `${name}_sum{destination="${destination}"} ${sum}`,
      `${name}_count{destination="${destination}"} ${total}`,
    ];
  });
  return [`# HELP ${name} Seconds from a delivery to its effect.`, `# TYPE ${name} histogram`, ...lines];
}
