/** A setting of one or several values, as a list. */
export function listValues(value: string | readonly string[]): readonly string[] {
  return typeof value === 'string' ? [value] : value;
}

/** `a`, `a or b`, `a, b or c`. */
export function joinValues(values: readonly string[]): string {
  const last = values.at(-1) ?? '';
  return values.length < 2 ? last : `${values.slice(0, -1).join(', ')} or ${last}`;
}
