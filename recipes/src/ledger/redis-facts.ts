import { z } from 'zod';

import type { EffectFacts } from './ledger.ts';

const text = z.string();

/** In this order, as JSON. */
const factsSchema = z.tuple([text, text, text, text, text, text, z.number(), text, z.number()]);

/** The facts as Redis keeps them: one text, because each field of a row costs both sides time. */
export function writeFacts(facts: EffectFacts): string {
  const { recipe, destination, eventKind, meetingId, occurrence, targetHash, part, traceId, receivedAtMs } =
    facts;
  const list = [
    recipe,
    destination,
    eventKind,
    meetingId,
    occurrence,
    targetHash,
    part,
    traceId,
    receivedAtMs,
  ];
  return JSON.stringify(list);
}

/** The facts in the columns that PostgreSQL has for them; none when the text is not understood. */
export function readFactColumns(written: string | undefined): Readonly<Record<string, string | number>> {
  const { success, data } = z.string().transform(parseJson).pipe(factsSchema).safeParse(written);
  if (!success) return {};
  const [
    recipe,
    destination,
    event_kind,
    meeting_id,
    occurrence,
    target_hash,
    part,
    trace_id,
    received_at_ms,
  ] = data;
  return {
    recipe,
    destination,
    event_kind,
    meeting_id,
    occurrence,
    target_hash,
    part,
    trace_id,
    received_at_ms,
  };
}

function parseJson(written: string, context: z.core.$RefinementCtx<string>): unknown {
  try {
    return JSON.parse(written);
  } catch {
    context.addIssue('no JSON');
    return z.NEVER;
  }
}
