import { z } from 'zod';

import { effectStateSchema } from './effect-states.ts';
import type { LedgerEntry } from './ledger.ts';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const number = z.coerce.number();

/** A row as both stores keep it: the same names, numbers as text or not. */
const rowSchema = z.object({
  state: effectStateSchema,
  attempts: number.default(0),
  probes: number.default(0),
  first_intent_at_ms: number.default(0),
  changed_at_ms: number.default(0),
  lease_until_ms: number.default(0),
  reference: text,
  cause: text,
  recipe: text,
  destination: text,
  event_kind: text,
  meeting_id: text,
  occurrence: text,
  target_hash: text,
  part: number.default(0),
  trace_id: text,
  received_at_ms: number.default(0),
});

/** An entry from its row; undefined when there is none. */
export function readEntry(effectKey: string, row: unknown): LedgerEntry | undefined {
  const { success, data } = rowSchema.safeParse(row);
  if (!success) return undefined;
  const isOpen = data.state === 'sending' || data.state === 'unknown';
  return {
    effectKey,
    state: data.state,
    attempts: data.attempts,
    probes: data.probes,
    firstIntentAtMs: data.first_intent_at_ms,
    changedAtMs: data.changed_at_ms,
    ...(isOpen ? { leaseUntilMs: data.lease_until_ms } : {}),
    ...(data.reference === '' ? {} : { reference: data.reference }),
    ...(data.cause === '' ? {} : { cause: data.cause }),
    recipe: data.recipe,
    destination: data.destination,
    eventKind: data.event_kind,
    meetingId: data.meeting_id,
    occurrence: data.occurrence,
    targetHash: data.target_hash,
    part: data.part,
    traceId: data.trace_id,
    receivedAtMs: data.received_at_ms,
  };
}
