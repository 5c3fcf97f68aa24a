import { describe, expect, it } from 'vitest';

import { createDeliveryMeter } from './delivery-meter.ts';
import { renderMetrics } from './render-metrics.ts';

describe('renderMetrics', () => {
  it('adds up the processes, every outcome from 0', () => {
    const first = createDeliveryMeter();
    first.countAnswer('accepted', 0.001);
    first.countAnswer('accepted', 0.002);
    first.countAnswer('unauthorized', 60);
    first.countRefusedCause('too_old');
    first.addHeldBytes(300);
    const second = createDeliveryMeter();
    second.countAnswer('accepted', 0.25);
    second.countConflict();
    second.countDroppedConnection();
    second.addHeldBytes(200);
    second.addHeldBytes(-100);
    // As over IPC.
    const readings = [first, second].map((meter) => JSON.parse(JSON.stringify(meter.read())) as never);
    const text = renderMetrics(readings);
    const lines = text.split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        '# HELP aftermeet_deliveries_total Requests to a hook address, by what became of them.',
        '# TYPE aftermeet_deliveries_total counter',
        'aftermeet_deliveries_total{outcome="accepted"} 3',
        'aftermeet_deliveries_total{outcome="duplicate"} 0',
        'aftermeet_deliveries_total{outcome="unauthorized"} 1',
        'aftermeet_delivery_conflicts_total 1',
        'aftermeet_refused_causes_total{cause="too_old"} 1',
        '# TYPE aftermeet_delivery_seconds histogram',
        'aftermeet_delivery_seconds_bucket{le="0.001"} 1',
        'aftermeet_delivery_seconds_bucket{le="0.0025"} 2',
        'aftermeet_delivery_seconds_bucket{le="0.25"} 3',
        'aftermeet_delivery_seconds_bucket{le="10"} 3',
        'aftermeet_delivery_seconds_bucket{le="+Inf"} 4',
        'aftermeet_delivery_seconds_count 4',
        'aftermeet_held_bytes 400',
        'aftermeet_connections_dropped_total 1',
        'aftermeet_processes 2',
      ]),
    );
    expect(text.endsWith('\n')).toBe(true);
  });

  it('writes each series and each help once, in the form of the text format', () => {
    const lines = renderMetrics([createDeliveryMeter().read()]).trimEnd().split('\n');
    const name = '[a-z_]+';
    const form = new RegExp(
      `^(?:# HELP ${name} .+|# TYPE ${name} (?:counter|gauge|histogram)|${name}(?:\\{${name}="[^"\\\\]+"\\})? [0-9.e+-]+)$`,
    );
    for (const line of lines) expect(line).toMatch(form);
    const keys = lines.map((line) => line.replace(/ [^ ]+$/, ''));
    expect(new Set(keys).size).toBe(keys.length);
  });
});
