/** What zod hands to an error function, as far as it is needed here. */
interface Refused {
  readonly input?: unknown;
}

/**
 * The text for a value that breaks a rule: what it must be and what kind of thing was found.
 * The value itself is never repeated, because it may be a secret, an address or a title.
 */
export function mustBe(rule: string): (refused: Refused) => string {
  return ({ input }) =>
    input === undefined ? `is missing: must be ${rule}` : `must be ${rule}; found ${describeKind(input)}`;
}

function describeKind(value: unknown): string {
  if (value === null) return 'null';
  if (value === '') return 'empty text';
  if (typeof value === 'string') return `text of length ${value.length}`;
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value instanceof Uint8Array) return `${value.byteLength} bytes`;
  if (typeof value === 'number')
    return Number.isFinite(value) ? `the number ${value}` : 'a number that is not finite';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
