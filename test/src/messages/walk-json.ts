/** One value of a JSON text, with where it stands. */
export interface JsonPlace {
  /** JSON pointer (RFC 6901); '' is the whole. */
  readonly pointer: string;
  /** The name or the index under which it stands; '' for the whole. */
  readonly name: string;
  readonly value: unknown;
}

/** The value and everything in it, parents first. */
export function* walkJson(value: unknown, pointer = '', name = ''): Generator<JsonPlace> {
  yield { pointer, name, value };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) yield* walkJson(child, `${pointer}/${key}`, key);
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list; none where it is no list. */
export function listObjects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function readText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
