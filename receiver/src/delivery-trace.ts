import { findTracer, readTraceparent, writeTraceparent } from '@aftermeet/queue';
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

/** The trace of one delivery, from its arrival to its answer. */
export interface DeliveryTrace {
  /** What the worker continues. */
  readonly traceparent: string | undefined;
  end(outcome: string): void;
}

interface Begun {
  /** The header of the request. It is not signed: it joins a trace and decides nothing. */
  readonly traceparent: string | undefined;
  readonly endpoint: string;
  /** When it arrived, and when its body was there, as `performance.now()` returned it. */
  readonly startedMs: number;
  readonly readMs: number;
}

/** Begins the trace of a delivery that was verified. Undefined: this process traces nothing. */
export function traceDelivery({
  traceparent,
  endpoint,
  startedMs,
  readMs,
}: Begun): DeliveryTrace | undefined {
  const tracer = findTracer();
  const parent = readTraceparent(traceparent);
  const outside = context.active();
  const root = tracer.startSpan(
    'delivery',
    { kind: SpanKind.SERVER, startTime: startedMs, attributes: { 'aftermeet.endpoint': endpoint } },
    parent === undefined ? outside : trace.setSpanContext(outside, parent),
  );
  if (!root.isRecording()) return undefined;
  const inside = trace.setSpan(outside, root);
  tracer.startSpan('verify', { startTime: readMs }, inside).end();
  const store = tracer.startSpan('store', {}, inside);
  return {
    traceparent: writeTraceparent(root.spanContext()),
    end(outcome) {
      const isFailed = outcome === 'unavailable';
      for (const span of [store, root]) {
        if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      }
    },
  };
}
