import { expect, it } from 'vitest';

import { createReceiverMetrics } from './metrics.ts';

it('renders every series in the text format, every outcome from 0', async () => {
  const metrics = createReceiverMetrics();
  metrics.countAnswer('accepted', 0.001);
  metrics.countAnswer('accepted', 0.002);
  metrics.countAnswer('unauthorized', 60);
  metrics.countRefusedCause('too_old');
  metrics.countConflict();
  metrics.countDroppedConnection();
  metrics.addHeldBytes(300);
  metrics.addHeldBytes(-100);
  const text = await metrics.render();
  expect(text.endsWith('\n')).toBe(true);
  const isFixed = (line: string): boolean => line !== '' && !line.startsWith('process_');
  expect(text.split('\n').filter(isFixed)).toEqual([
    '# HELP aftermeet_deliveries_total Requests to a hook address, by what became of them.',
    '# TYPE aftermeet_deliveries_total counter',
    'aftermeet_deliveries_total{outcome="accepted"} 2',
    'aftermeet_deliveries_total{outcome="duplicate"} 0',
    'aftermeet_deliveries_total{outcome="malformed"} 0',
    'aftermeet_deliveries_total{outcome="unauthorized"} 1',
    'aftermeet_deliveries_total{outcome="unknown_endpoint"} 0',
    'aftermeet_deliveries_total{outcome="wrong_method"} 0',
    'aftermeet_deliveries_total{outcome="too_large"} 0',
    'aftermeet_deliveries_total{outcome="wrong_encoding"} 0',
    'aftermeet_deliveries_total{outcome="too_many"} 0',
    'aftermeet_deliveries_total{outcome="unavailable"} 0',
    'aftermeet_deliveries_total{outcome="removed"} 0',
    'aftermeet_deliveries_total{outcome="overloaded"} 0',
    '# HELP aftermeet_delivery_conflicts_total Stored deliveries whose id was used for another body before.',
    '# TYPE aftermeet_delivery_conflicts_total counter',
    'aftermeet_delivery_conflicts_total 1',
    '# HELP aftermeet_delivery_mismatches_total Stored deliveries with a header that does not fit the body.',
    '# TYPE aftermeet_delivery_mismatches_total counter',
    'aftermeet_delivery_mismatches_total{header="event"} 0',
    'aftermeet_delivery_mismatches_total{header="content_type"} 0',
    '# HELP aftermeet_refused_causes_total Refused verifications, by cause.',
    '# TYPE aftermeet_refused_causes_total counter',
    'aftermeet_refused_causes_total{cause="too_old"} 1',
    '# HELP aftermeet_delivery_seconds Seconds from the head of a delivery to its answer.',
    '# TYPE aftermeet_delivery_seconds histogram',
    'aftermeet_delivery_seconds_bucket{le="0.001"} 1',
    'aftermeet_delivery_seconds_bucket{le="0.0025"} 2',
    'aftermeet_delivery_seconds_bucket{le="0.005"} 2',
    'aftermeet_delivery_seconds_bucket{le="0.01"} 2',
    'aftermeet_delivery_seconds_bucket{le="0.025"} 2',
    'aftermeet_delivery_seconds_bucket{le="0.05"} 2',
    'aftermeet_delivery_seconds_bucket{le="0.1"} 2',
    'aftermeet_delivery_seconds_bucket{le="0.25"} 2',
    'aftermeet_delivery_seconds_bucket{le="0.5"} 2',
    'aftermeet_delivery_seconds_bucket{le="1"} 2',
    'aftermeet_delivery_seconds_bucket{le="2.5"} 2',
    'aftermeet_delivery_seconds_bucket{le="5"} 2',
    'aftermeet_delivery_seconds_bucket{le="10"} 2',
    'aftermeet_delivery_seconds_bucket{le="+Inf"} 3',
    'aftermeet_delivery_seconds_sum 60.003',
    'aftermeet_delivery_seconds_count 3',
    '# HELP aftermeet_held_bytes Bytes of bodies that arrive or wait for the store.',
    '# TYPE aftermeet_held_bytes gauge',
    'aftermeet_held_bytes 200',
    '# HELP aftermeet_endpoint_served Endpoints: 1 for one that takes deliveries, 0 for one that was removed.',
    '# TYPE aftermeet_endpoint_served gauge',
    '# HELP aftermeet_event_loop_lag_seconds How late the event loop was last.',
    '# TYPE aftermeet_event_loop_lag_seconds gauge',
    'aftermeet_event_loop_lag_seconds 0',
    '# HELP aftermeet_connections_dropped_total Connections closed because there were too many.',
    '# TYPE aftermeet_connections_dropped_total counter',
    'aftermeet_connections_dropped_total 1',
    '# HELP aftermeet_processes Receiver processes in these figures.',
    '# TYPE aftermeet_processes gauge',
    'aftermeet_processes 1',
    '# HELP process_resident_memory_bytes Resident memory of this process.',
    '# TYPE process_resident_memory_bytes gauge',
    '# HELP process_start_time_seconds Unix time at which this process started.',
    '# TYPE process_start_time_seconds gauge',
  ]);
  expect(text).toMatch(/^process_resident_memory_bytes [1-9]\d+$/m);
  expect(text).toMatch(/^process_start_time_seconds [1-9]\d+$/m);
});
