/**
 * The form in which job data is stored: as it is, or, where PostgreSQL's `jsonb` could not hold it
 * (NUL and lone surrogates inside strings), as its JSON text.
 */
export function encodeJobData(data: object): object {
  const text = JSON.stringify(data);
  return /\\u(?:0000|d[89a-f])/.test(text) ? { json: text } : data;
}

/** Reads what {@link encodeJobData} made. Throws when the JSON text inside is broken. */
export function decodeJobData(stored: unknown): unknown {
  if (typeof stored !== 'object' || stored === null || !('json' in stored)) return stored;
  const { json } = stored;
  return typeof json === 'string' ? JSON.parse(json) : stored;
}
