// `@aftermeet/contract/schema`: values from outside, read with zod.
import * as z from 'zod';

import { describeKind, type Problem, unknownName } from './problem.ts';

export type SchemaResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * Parses the input with a zod schema. The message of a schema's error is what `expected` says: a noun phrase such as
 * `a date such as 2026-07-07`. `problems` holds the first broken rule of each path.
 */
export function parseSchema<Value>(schema: z.ZodType<Value>, input: unknown): SchemaResult<Value> {
  // An issue does not say which names its object knows; the error map sees the object's schema.
  const allowedAt = new Map<string, readonly string[]>();
  const result = schema.safeParse(input, {
    error: (issue) => {
      if (issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject) {
        allowedAt.set(JSON.stringify(issue.path ?? []), Object.keys(issue.inst.shape));
      }
      return describeExpected(issue);
    },
  });
  if (result.success) return { ok: true, value: result.data };

  const firstByPath = new Map<string, Problem>();
  for (const issue of result.error.issues) {
    for (const problem of toProblems(issue, input, allowedAt)) {
      const key = JSON.stringify(problem.path);
      if (!firstByPath.has(key)) firstByPath.set(key, problem);
    }
  }
  return { ok: false, problems: [...firstByPath.values()] };
}

function toProblems(
  issue: z.core.$ZodIssue,
  input: unknown,
  allowedAt: ReadonlyMap<string, readonly string[]>,
): readonly Problem[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'unrecognized_keys') {
    const allowed = allowedAt.get(JSON.stringify(issue.path)) ?? [];
    return issue.keys.map((key) => unknownName([...path, key], allowed));
  }
  const value = valueAt(input, path);
  if (value === undefined && path.length > 0) return [{ path, code: 'missing', expected: issue.message }];
  return [{ path, code: 'invalid', expected: issue.message, received: describeKind(value) }];
}

function valueAt(input: unknown, path: Problem['path']): unknown {
  let at = input;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = Reflect.get(at, part);
  }
  return at;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

type ErrorMap = NonNullable<z.core.ParseContext<z.core.$ZodIssue>['error']>;

/** What a rule without words of its own expects. */
function describeExpected(issue: Parameters<ErrorMap>[0]): string {
  if (issue.code === 'invalid_type') return typeNames[issue.expected] ?? issue.expected;
  if (issue.code === 'invalid_value') {
    return issue.values.length === 1 ? String(issue.values[0]) : `one of ${issue.values.join(', ')}`;
  }
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? 'a name';
  return 'a valid value';
}
