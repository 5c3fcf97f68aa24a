import type { Accepted } from './inbox-store.ts';

/** The answers that a store's digits stand for; they are shared, since nobody changes them. */
const answers: ReadonlyMap<string, Accepted> = new Map([
  ['0', { kind: 'accepted', isConflict: false }],
  ['1', { kind: 'duplicate', isConflict: false }],
  ['2', { kind: 'accepted', isConflict: true }],
  ['3', { kind: 'duplicate', isConflict: true }],
]);

/**
 * Reads what a store answers to a group: one digit for each delivery, in their order, 1 for a duplicate plus 2 for a
 * conflict. Throws on anything else: a delivery without an answer must not look stored.
 */
export function readAcceptAnswers(digits: unknown, count: number): readonly Accepted[] {
  const found = typeof digits === 'string' ? Array.from(digits, (digit) => answers.get(digit)) : [];
  const known = found.filter((answer) => answer !== undefined);
  if (known.length !== count || found.length !== count) {
    throw new Error('the store answered something else than one digit for each delivery');
  }
  return known;
}
