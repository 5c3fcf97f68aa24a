/** The short text of anything that was thrown: its code where it has one, its message, or its name. */
export function describeError(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const text = error.message === '' ? error.name : error.message;
  return code !== undefined && !text.includes(code) ? `${code}: ${text}` : text;
}
