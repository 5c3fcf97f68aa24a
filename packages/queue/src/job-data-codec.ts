/** In JSON text: NUL and lone surrogates, which PostgreSQL's `jsonb` refuses inside strings. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/**
 * The form in which job data is stored: as it is, or, where PostgreSQL's `jsonb` could not hold it
 * (NUL and lone surrogates inside strings), as its JSON text.
 */
export function encodeJobData(data: object): object {
  const text = JSON.stringify(data);
  return UNSTORABLE.test(text) ? { json: text } : data;
}

/** The JSON text of what {@link encodeJobData} makes. */
export function encodeJobText(data: object): string {
  const text = JSON.stringify(data);
  return UNSTORABLE.test(text) ? JSON.stringify({ json: text }) : text;
}

/** Reads what {@link encodeJobData} made. Throws when the JSON text inside is broken. */
export function decodeJobData(stored: unknown): unknown {
  if (typeof stored !== 'object' || stored === null || !('json' in stored)) return stored;
  const { json } = stored;
  return typeof json === 'string' ? JSON.parse(json) : stored;
}
