import { expect, it } from 'vitest';

import { createWorkerMeter } from './worker-meter.ts';

const label = { recipe: 'r', destination: 'slack', meetingId: 'm_1', effectKey: 'k' } as const;

it('counts what a worker does, and names no meeting and no recipe', () => {
  const meter = createWorkerMeter();
  meter.count({ kind: 'report_fetched', meetingId: 'm_1', elapsedMs: 250 });
  meter.count({ kind: 'effect_sent', reference: 'C1/1.2', elapsedMs: 80, isNew: true, ...label });
  meter.count({ kind: 'effect_sent', reference: 'C1/1.2', elapsedMs: 100_000_000, isNew: false, ...label });
  meter.count({ kind: 'effect_skipped', cause: 'c', ...label });
  meter.count({ kind: 'effect_failed', cause: 'c', ...label });
  meter.count({ kind: 'effect_waiting', cause: 'c', why: 'turn', forMs: 1, ...label });
  meter.count({ kind: 'effect_waiting', cause: 'c', why: 'turn', forMs: 1, ...label });
  meter.count({ kind: 'effect_probed', destination: 'slack', result: 'found' });
  const lines = meter.render().split('\n');
  for (const line of [
    '# TYPE aftermeet_effects_total counter',
    'aftermeet_effects_total{destination="slack",outcome="sent"} 1',
    'aftermeet_effects_total{destination="slack",outcome="found"} 1',
    'aftermeet_effects_total{destination="slack",outcome="skipped"} 1',
    'aftermeet_effects_total{destination="slack",outcome="failed"} 1',
    'aftermeet_effects_total{destination="email",outcome="sent"} 0',
    'aftermeet_reports_fetched_total 1',
    'aftermeet_report_seconds_total 0.25',
    'aftermeet_effect_waits_total{destination="slack",why="turn"} 2',
    'aftermeet_effect_probes_total{destination="slack",result="found"} 1',
    '# TYPE aftermeet_effect_seconds histogram',
    'aftermeet_effect_seconds_bucket{destination="slack",le="0.05"} 0',
    'aftermeet_effect_seconds_bucket{destination="slack",le="0.1"} 1',
    'aftermeet_effect_seconds_bucket{destination="slack",le="86400"} 1',
    'aftermeet_effect_seconds_bucket{destination="slack",le="+Inf"} 2',
    'aftermeet_effect_seconds_count{destination="slack"} 2',
  ]) {
    expect(lines).toContain(line);
  }
  expect(meter.render()).not.toMatch(/m_1|C1|"r"/);
});
