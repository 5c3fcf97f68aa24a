import type * as z from 'zod';

import { walksUp, walksUpRule } from './addresses.ts';
import {
  type HttpMethod,
  type Operation,
  type OperationInput,
  type ParamPlace,
  paramPlaces,
} from './operation.ts';
import { parseSchema } from './parse-schema.ts';
import { describeKind, type Problem, unknownName } from './problem.ts';

/** One part of a multipart form, in the order of the specification. */
export type FormEntry =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly bytes: Uint8Array; readonly filename: string };

export interface BuiltRequest {
  readonly ok: true;
  readonly method: HttpMethod;
  /** Relative to the base address, percent-encoded, without a query. */
  readonly path: string;
  /** For `new URLSearchParams(query)`; empty when there is none. */
  readonly query: readonly [name: string, value: string][];
  /** The JSON body, when the operation has one. */
  readonly json?: Readonly<Record<string, unknown>>;
  /** The multipart parts, when the operation has them. */
  readonly form?: readonly FormEntry[];
}

export interface RefusedRequest {
  readonly ok: false;
  readonly problems: readonly Problem[];
}

export type RequestResult = BuiltRequest | RefusedRequest;

type Fields = Record<string, unknown>;

/**
 * Turns a flat input into what goes on the wire: each field where its schema stands, encoded.
 * A wrong input is a value, never an exception: `problems` holds the first broken rule of each field.
 */
export function buildRequest<Op extends Operation>(operation: Op, input: OperationInput<Op>): RequestResult {
  const given = readFields(input);
  if (given === undefined) {
    const received = describeKind(input);
    return { ok: false, problems: [{ path: [], code: 'invalid', expected: 'an object', received }] };
  }

  const problems = findUnknownFields(operation, given);
  const wire: Partial<Record<ParamPlace, Fields>> = {};
  for (const place of paramPlaces) {
    const schema = operation.params[place];
    if (schema === undefined) continue;
    const parsed = parseSchema(schema, pickFields(given, schema));
    if (parsed.ok) wire[place] = parsed.value;
    else problems.push(...parsed.problems);
  }
  const path = fillPath(operation.path, wire.path ?? {}, problems);
  if (problems.length > 0) return { ok: false, problems };

  return {
    ok: true,
    method: operation.method,
    path,
    query: listQueryEntries(wire.query ?? {}),
    ...(wire.body && { json: wire.body }),
    ...(wire.form && { form: listFormEntries(wire.form) }),
  };
}

function readFields(input: unknown): Fields | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

function findUnknownFields(operation: Operation, given: Fields): Problem[] {
  const known = paramPlaces.flatMap((place) => Object.keys(operation.params[place]?.shape ?? {}));
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => unknownName([name], known));
}

function pickFields(given: Fields, schema: z.ZodObject): Fields {
  return Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(schema.shape, name)));
}

function fillPath(template: string, values: Fields, problems: Problem[]): string {
  return template.replaceAll(/\{([^}]+)\}/g, (_match, name: string) => {
    const value = values[name] === undefined ? '' : readText(values[name]);
    if (walksUp(value)) problems.push({ path: [name], code: 'invalid', expected: walksUpRule });
    return encodeURIComponent(value);
  });
}

function listQueryEntries(query: Fields): [name: string, value: string][] {
  return Object.entries(query).map(([name, value]) => [name, readText(value)]);
}

function listFormEntries(form: Fields): FormEntry[] {
  return Object.entries(form).map(([name, value]) =>
    value instanceof Uint8Array
      ? { name, bytes: value, filename: readText(form['filename']) }
      : { name, value: readText(value) },
  );
}

/** Everything outside JSON is text by now: a schema that leaves something else is a mistake in the table. */
function readText(value: unknown): string {
  if (typeof value !== 'string')
    throw new TypeError(`A field without a codec reached the wire as ${typeof value}.`);
  return value;
}
