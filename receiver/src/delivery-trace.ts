import { findTracer, readTraceparent, writeTraceparent } from '@aftermeet/queue';
import { context, isSpanContextValid, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

/** The trace of one delivery, from its arrival to its answer. */
export interface DeliveryTrace {
  /** What the worker continues. */
  readonly traceparent: string | undefined;
  end(outcome: string): void;
}

interface Begun {
  /** The header of the request, which is not signed: it joins a trace and decides nothing. */
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
  const outside = context.active();
  // What the process itself traces around it comes first.
  const parent = trace.getSpan(outside) === undefined ? readTraceparent(traceparent) : undefined;
  const root = tracer.startSpan(
    'delivery',
    { kind: SpanKind.SERVER, startTime: startedMs, attributes: { 'aftermeet.endpoint': endpoint } },
    parent === undefined ? outside : trace.setSpanContext(outside, parent),
  );
  const own = root.spanContext();
  // Without an SDK there is no span, or that of the parent. One that is not sampled has a context, which goes on.
  if (!isSpanContextValid(own) || own.spanId === parent?.spanId) return undefined;
  const inside = trace.setSpan(outside, root);
  // A time that is given needs one of the same clock at its end.
  tracer.startSpan('verify', { startTime: readMs }, inside).end(performance.now());
  const store = tracer.startSpan('store', { startTime: performance.now() }, inside);
  return {
    traceparent: writeTraceparent(own),
    end(outcome) {
      root.setAttribute('aftermeet.outcome', outcome);
      for (const span of [store, root]) {
        if (outcome === 'unavailable') span.setStatus({ code: SpanStatusCode.ERROR });
        span.end(performance.now());
      }
    },
  };
}
