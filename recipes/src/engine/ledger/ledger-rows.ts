import { z } from 'zod';

import {
  type Claim,
  type ClaimRequest,
  type EffectFacts,
  effectStateSchema,
  type LedgerEntry,
  type Settlement,
} from './ledger.ts';

/*
 * What the stores answer, read by hand: a schema costs as much as everything else that a claim costs the worker. Both
 * answer alike, numbers as text or not. What is not understood throws.
 */

/** One claim for each that was asked: its state and what belongs to it, in a fixed order. */
export function readClaims(answers: unknown): readonly Claim[] {
  return readList(answers).map(readClaim);
}

/** One digit for each settlement: whether it was stored. */
export function readSettled(answers: unknown): readonly boolean[] {
  return readList(answers).map((digit) => {
    if (digit !== 0 && digit !== 1) throw notUnderstood();
    return digit === 1;
  });
}

function readClaim(answer: unknown): Claim {
  const [state, ...parts] = readList(answer);
  const [first, second, third, fourth] = parts;
  switch (state) {
    case 'claimed':
      return { state, fence: readNumber(first), ...readPrevious(second) };
    case 'probe':
      return {
        state,
        fence: readNumber(first),
        firstIntentAtMs: readNumber(second),
        probes: readNumber(third),
        ...readPrevious(fourth),
      };
    case 'busy':
      return { state, untilMs: readNumber(first) };
    case 'sent':
      return { state, reference: readText(first) };
    case 'skipped':
    case 'failed':
    case 'parked':
    case 'held':
      return { state, cause: readText(first) };
    default:
      throw notUnderstood();
  }
}

/** Empty: there is none. */
function readPrevious(value: unknown): { readonly previous?: string } {
  const previous = readText(value);
  return previous === '' ? {} : { previous };
}

function readList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw notUnderstood();
  return value;
}

function readText(value: unknown): string {
  if (typeof value !== 'string') throw notUnderstood();
  return value;
}

function readNumber(value: unknown): number {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) throw notUnderstood();
  return number;
}

function notUnderstood(): Error {
  return new Error('the answer of the ledger’s store is not understood');
}

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

/** One claim on its way into the store. */
export interface ClaimItem {
  readonly effectKey: string;
  readonly request: ClaimRequest;
}

/** One settlement on its way into the store. */
export interface SettleItem {
  readonly effectKey: string;
  readonly fence: number;
  readonly settlement: Settlement;
  readonly request: Pick<ClaimRequest, 'nowMs' | 'facts' | 'dedupe'>;
}

/** Throws when a number is none that a store can keep: in a group it would stand in the way of the others. */
export function checkClaim(item: ClaimItem): ClaimItem {
  const { nowMs, leaseMs, earliestMs, facts } = item.request;
  checkNumbers([nowMs, leaseMs, earliestMs], facts);
  return item;
}

/** Throws as {@link checkClaim} does. */
export function checkSettlement(item: SettleItem): SettleItem {
  checkNumbers([item.fence, item.request.nowMs], item.request.facts);
  return item;
}

function checkNumbers(numbers: readonly number[], { part, receivedAtMs }: EffectFacts): void {
  if (![...numbers, part, receivedAtMs].every(Number.isSafeInteger)) {
    throw new TypeError('the ledger was given a time or a number that is no whole number');
  }
}
