import { expect, it } from 'vitest';

import { createWorkerMetrics } from './worker-metrics.ts';

const label = { recipe: 'r', destination: 'slack', meetingId: 'm_1', effectKey: 'k' } as const;

it('counts what a worker does, and names no meeting and no recipe', async () => {
  const metrics = createWorkerMetrics(['slack', 'notion', 'email', 'http', 'folder'], async () => ({
    skewMs: -1500,
    queues: [{ name: 'slack', jobs: { waiting: 7 }, oldestMs: 90_000 }],
  }));
  metrics.count({ kind: 'report_fetched', meetingId: 'm_1', elapsedMs: 250 });
  metrics.count({ kind: 'effect_sent', reference: 'C1/1.2', elapsedMs: 80, sentNow: true, ...label });
  metrics.count({
    kind: 'effect_sent',
    reference: 'C1/1.2',
    elapsedMs: 100_000_000,
    sentNow: false,
    ...label,
  });
  metrics.count({ kind: 'effect_skipped', cause: 'c', ...label });
  metrics.count({ kind: 'effect_failed', cause: 'c', ...label });
  metrics.count({ kind: 'effect_waiting', cause: 'c', why: 'slot', forMs: 1, ...label });
  metrics.count({ kind: 'effect_waiting', cause: 'c', why: 'slot', forMs: 1, ...label });
  metrics.count({ kind: 'effect_probed', destination: 'slack', result: 'found' });
  metrics.count({ kind: 'circuit_changed', destination: 'slack', state: 'refused' });
  const lines = (await metrics.render()).split('\n');
  for (const line of [
    '# TYPE aftermeet_effects_total counter',
    'aftermeet_effects_total{destination="slack",outcome="sent"} 1',
    'aftermeet_effects_total{destination="slack",outcome="found"} 1',
    'aftermeet_effects_total{destination="slack",outcome="skipped"} 1',
    'aftermeet_effects_total{destination="slack",outcome="failed"} 1',
    'aftermeet_effects_total{destination="email",outcome="sent"} 0',
    'aftermeet_circuit_open{destination="slack",why="refused"} 1',
    'aftermeet_circuit_open{destination="slack",why="open"} 0',
    'aftermeet_circuit_open{destination="email",why="refused"} 0',
    'aftermeet_queue_jobs{queue="slack",state="waiting"} 7',
    'aftermeet_queue_oldest_seconds{queue="slack"} 90',
    'aftermeet_worker_clock_skew_seconds -1.5',
    'aftermeet_reports_fetched_total 1',
    'aftermeet_report_seconds_total 0.25',
    'aftermeet_effect_waits_total{destination="slack",why="slot"} 2',
    'aftermeet_effect_probes_total{destination="slack",result="found"} 1',
    '# TYPE aftermeet_effect_seconds histogram',
    'aftermeet_effect_seconds_bucket{le="0.05",destination="slack"} 0',
    'aftermeet_effect_seconds_bucket{le="0.1",destination="slack"} 1',
    'aftermeet_effect_seconds_bucket{le="86400",destination="slack"} 1',
    'aftermeet_effect_seconds_bucket{le="+Inf",destination="slack"} 2',
    'aftermeet_effect_seconds_count{destination="slack"} 2',
  ]) {
    expect(lines).toContain(line);
  }
  expect(await metrics.render()).not.toMatch(/m_1|C1|"r"/);
});
