/** An object of an answer, as JSON has it. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value with every object in it changed, the inner ones first. */
export function mapObjects(value: unknown, change: (object: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => mapObjects(item, change));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, held]) => [name, mapObjects(held, change)]);
  return change(Object.fromEntries(entries));
}

/** The object with one field changed; a field that is no object, or not there, stays as it is. */
export function mapField(value: unknown, name: string, change: (object: JsonObject) => JsonObject): unknown {
  if (!isObject(value)) return value;
  const held = value[name];
  return isObject(held) ? { ...value, [name]: change(held) } : value;
}

/** The object with its fields under other names, those without one as they are. */
export function renameFields(object: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [Object.hasOwn(names, name) ? names[name] : name, value]),
  );
}
