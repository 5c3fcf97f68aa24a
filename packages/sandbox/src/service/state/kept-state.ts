import { z } from 'zod';

const changeSchema = z.union([
  z.strictObject({ put: z.string(), key: z.string(), value: z.unknown() }),
  z.strictObject({ remove: z.string(), key: z.string() }),
  z.strictObject({ clear: z.string() }),
]);

/** One line of the state file after the first: a change, or several that happened together. */
export const lineSchema = z.union([changeSchema, z.array(changeSchema)]);

export type Change = z.infer<typeof changeSchema>;

/** Every collection as the state file holds it: the JSON of its values by their keys, in the order in which the keys first came. */
export type KeptState = Map<string, Map<string, string>>;

export function applyChange(state: KeptState, change: Change): void {
  if ('put' in change) {
    const values = state.get(change.put) ?? new Map<string, string>();
    state.set(change.put, values.set(change.key, JSON.stringify(change.value)));
  } else if ('remove' in change) {
    state.get(change.remove)?.delete(change.key);
  } else state.delete(change.clear);
}

/** The state as changes to an empty one, a line each. */
export function writeStateLines(state: KeptState): readonly string[] {
  return [...state].flatMap(([name, values]) =>
    [...values].map(
      ([key, value]) => `{"put":${JSON.stringify(name)},"key":${JSON.stringify(key)},"value":${value}}\n`,
    ),
  );
}
