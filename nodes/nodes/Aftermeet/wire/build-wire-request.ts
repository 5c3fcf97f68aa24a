import { tidyCron, walksUp, walksUpRule } from '@aftermeet/contract/pure';

import { fieldRules } from './field-rules.ts';
import type { WireField, WireOperation } from './wire-operation.ts';

/** The fields of one request by their names on the wire; what is undefined is left out. */
export type WireFields = Readonly<Record<string, unknown>>;

export type WireRequest =
  | {
      readonly ok: true;
      readonly method: WireOperation['method'];
      /** Relative to the base address, percent-encoded, with its query. */
      readonly path: string;
      readonly json?: Readonly<Record<string, unknown>>;
      /** The parts of a form but for the file. */
      readonly form?: readonly (readonly [name: string, value: string])[];
    }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Turns fields into what goes on the wire, as the contract's `buildRequest` does. Wrong ones are a value. Pure. */
export function buildWireRequest({ method, path, fields }: WireOperation, given: WireFields): WireRequest {
  const problems: string[] = Object.keys(given)
    .filter((name) => given[name] !== undefined && !Object.hasOwn(fields, name))
    .map((name) => `${name} is no field of this operation`);
  const query = new URLSearchParams();
  const json: Record<string, unknown> = {};
  const form: [string, string][] = [];
  let filled = path;
  let hasJson = false;
  for (const [name, field] of Object.entries(fields)) {
    hasJson ||= field.place === 'body';
    const value = given[name];
    const problem = findProblem(name, field, value);
    if (problem !== undefined) problems.push(problem);
    if (value === undefined || problem !== undefined) continue;
    const text = write(field, value);
    if (field.place === 'path') filled = filled.replace(`{${name}}`, () => encodeURIComponent(text));
    if (field.place === 'query') query.append(name, text);
    if (field.place === 'body') json[name] = text;
    if (field.place === 'form' && field.kind !== 'file') form.push([name, text]);
  }
  if (problems.length > 0) return { ok: false, problems };
  const search = query.toString();
  return {
    ok: true,
    method,
    path: search === '' ? filled : `${filled}?${search}`,
    ...(hasJson ? { json } : {}),
    ...(form.length > 0 ? { form } : {}),
  };
}

function findProblem(name: string, field: WireField, value: unknown): string | undefined {
  if (value === undefined) return field.required ? `${name} is missing` : undefined;
  const { holds, words } = fieldRules[field.rule];
  if (!holds(value, field)) {
    const choice = field.values === undefined ? '' : `: ${field.values.join(', ')}`;
    return `${name} must be ${words}${describeRange(field)}${choice}`;
  }
  const isPath = field.place === 'path' && typeof value === 'string';
  return isPath && walksUp(value) ? `${name} ${walksUpRule}` : undefined;
}

function describeRange({ min, max }: WireField): string {
  if (min === undefined) return '';
  return max === undefined ? ` of at least ${min}` : ` from ${min} to ${max}`;
}

/** Every value of the service's requests is text. */
function write({ kind, rule }: WireField, value: unknown): string {
  if (kind === 'list') return Array.isArray(value) ? value.join(',') : '';
  return rule === 'cron' ? tidyCron(String(value)) : String(value);
}
