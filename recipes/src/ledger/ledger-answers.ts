import type { Claim } from './ledger.ts';

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
