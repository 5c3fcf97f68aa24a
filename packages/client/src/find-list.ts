import { asFields, asList } from './report/loose.ts';

const wrapperNames = ['data', 'result', 'response'] as const;
const MAX_DEPTH = 2;

/**
 * The list in an answer: the answer itself, one of the named fields, the same within a wrapper, or the only
 * list of objects there is. Nothing at all, an empty object and a named field that is null are an empty list. Undefined
 * when the answer holds none: the page of a proxy must not look like an empty account.
 */
export function findList(body: unknown, names: readonly string[], depth = 0): readonly unknown[] | undefined {
  if (body === undefined || body === null) return [];
  if (Array.isArray(body)) return body;
  const fields = asFields(body);
  if (fields === undefined) return undefined;
  if (Object.keys(fields).length === 0) return [];
  for (const name of names) {
    const list = fields[name];
    if (Array.isArray(list)) return list;
    if (list === null) return [];
  }
  for (const name of [...wrapperNames, ...names]) {
    const inner = depth < MAX_DEPTH && name in fields ? findList(fields[name], names, depth + 1) : undefined;
    if (inner !== undefined) return inner;
  }
  const others = Object.entries(fields).filter(([name, value]) => isListOfThings(name, value));
  return others.length === 1 ? asList(others[0]?.[1]) : undefined;
}

/** Of a list under an unknown name more is asked: a list of errors must not pass for what was asked for. */
function isListOfThings(name: string, value: unknown): boolean {
  const items = asList(value);
  return (
    items.length > 0 && !/err|warn|mess/i.test(name) && items.every((item) => asFields(item) !== undefined)
  );
}
