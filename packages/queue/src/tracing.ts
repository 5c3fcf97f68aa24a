import {
  type Attributes,
  context,
  isSpanContextValid,
  type Span,
  type SpanContext,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';

/** What a trace shows of the way of a delivery (docs/operations/tracing.md). */
export type SpanName =
  | 'delivery'
  | 'verify'
  | 'store'
  | 'plan'
  | 'effect'
  | 'render'
  | 'fetch'
  | 'probe'
  | 'send';

/** The tracer of the process; without an SDK it does nothing. */
export function findTracer(): Tracer {
  return trace.getTracer('aftermeet');
}

/**
 * Runs work in a span. The attributes hold ids, names and codes: no title, no text, no address. What the work throws marks
 * the span as failed and is not recorded, because its text may hold content.
 */
export async function withSpan<Result>(
  name: SpanName,
  attributes: Attributes,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  return await findTracer().startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Runs work as part of the trace that a stored job names; without one, or with one that is none, as it is. */
export function withTraceparent<Result>(traceparent: string | undefined, work: () => Result): Result {
  const parent = readTraceparent(traceparent);
  if (parent === undefined) return work();
  return context.with(trace.setSpanContext(context.active(), parent), work);
}

/** A job together with the trace that it is part of; unchanged when nothing is traced. */
export function carryTrace<Job extends object>(job: Job): Job & { readonly traceparent?: string } {
  const current = trace.getSpanContext(context.active());
  const traceparent = current && writeTraceparent(current);
  return traceparent === undefined ? job : { ...job, traceparent };
}

/** W3C Trace Context, version 00; undefined: it names no span. */
export function writeTraceparent(span: SpanContext): string | undefined {
  if (!isSpanContextValid(span)) return undefined;
  const flags = (span.traceFlags & 0xff).toString(16).padStart(2, '0');
  return `00-${span.traceId}-${span.spanId}-${flags}`;
}

/** Undefined for anything that is not exactly a traceparent of version 00 with ids that are not all zeros. */
export function readTraceparent(text: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(text ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const span = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(span) ? span : undefined;
}
