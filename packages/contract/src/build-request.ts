import { walksUp, walksUpRule } from './addresses.ts';
import {
  type HttpMethod,
  listFields,
  type ListedField,
  type Operation,
  type OperationInput,
} from './operation.ts';
import { describeKind, describeValue, type Problem, unknownName } from './problem.ts';

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

/**
 * Turns a flat input into what goes on the wire: each field under its name there, at its place, as text.
 * A wrong input is a value, never an exception: `problems` holds the first broken rule of each field.
 */
export function buildRequest<Op extends Operation>(operation: Op, input: OperationInput<Op>): RequestResult {
  const given = readFields(input);
  if (given === undefined) {
    const received = describeKind(input);
    return { ok: false, problems: [{ path: [], code: 'invalid', expected: 'an object', received }] };
  }
  const fields = listFields(operation);
  const problems = checkFields(operation, given, ({ name }) => name);
  if (problems.length > 0) return { ok: false, problems };

  const query: [string, string][] = [];
  const json: Record<string, string> = {};
  const form: FormEntry[] = [];
  let { path } = operation;
  for (const { place, name, wire, rule } of fields) {
    const value = given[name];
    if (value === undefined) continue;
    const text = rule.write(value);
    if (place === 'path') path = path.replace(`{${wire}}`, () => encodeURIComponent(text));
    else if (place === 'query') query.push([wire, text]);
    else if (place === 'body') json[wire] = text;
    else if (value instanceof Uint8Array) {
      form.push({ name: wire, bytes: value, filename: String(given['filename']) });
    } else form.push({ name: wire, value: text });
  }
  return {
    ok: true,
    method: operation.method,
    path,
    query,
    ...(operation.params.body && { json }),
    ...(operation.params.form && { form }),
  };
}

export type RequestReading<Op extends Operation> =
  | { readonly ok: true; readonly input: OperationInput<Op> }
  | RefusedRequest;

/** The way back, as a server goes it: from the fields of a request, by their names on the wire, to the input. */
export function readRequest<Op extends Operation>(
  operation: Op,
  wireFields: Readonly<Record<string, unknown>>,
): RequestReading<Op> {
  const fields = listFields(operation);
  const given = Object.fromEntries(
    Object.entries(wireFields).map(([wire, value]) => {
      const field = fields.find((known) => known.wire === wire);
      return field === undefined ? [wire, value] : [field.name, field.rule.read(value)];
    }),
  );
  const problems = checkFields(operation, given, ({ wire }) => wire, wireFields);
  // Every field has been checked by its rule.
  return problems.length > 0 ? { ok: false, problems } : { ok: true, input: given as OperationInput<Op> };
}

type Given = Readonly<Record<string, unknown>>;

function readFields(input: unknown): Given | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

/** `call` is what the sender calls a field, `sent` holds what the sender wrote, by these names. */
function checkFields(
  operation: Operation,
  given: Given,
  call: (field: ListedField) => string,
  sent: Given = given,
): Problem[] {
  const fields = listFields(operation);
  const known = fields.map(call);
  const names = new Set(fields.map(({ name }) => name));
  const problems = Object.keys(given)
    .filter((name) => !names.has(name))
    .map((name) => unknownName([name], known));
  for (const field of fields) problems.push(...checkField(field, call(field), given[field.name], sent));
  if (problems.length > 0) return problems;
  const broken = operation.checkTogether?.(given);
  const field = fields.find(({ name }) => name === broken?.name);
  if (broken === undefined || field === undefined) return [];
  return [invalid(field, [call(field)], broken.expected, sent[call(field)])];
}

function checkField(field: ListedField, called: string, value: unknown, sent: Given): readonly Problem[] {
  const { rule, required: isRequired } = field;
  if (value === undefined) {
    return isRequired ? [{ path: [called], code: 'missing', expected: rule.words }] : [];
  }
  const broken = rule.check(value);
  if (broken.length === 0 && field.place === 'path' && walksUp(rule.write(value))) {
    return [{ path: [called], code: 'invalid', expected: walksUpRule }];
  }
  return broken.map(({ expected, index }) => {
    if (index === undefined) return invalid(field, [called], expected, sent[called]);
    const item: unknown = Array.isArray(value) ? value[index] : undefined;
    return invalid(field, [called, index], expected, item);
  });
}

function invalid({ rule }: ListedField, path: Problem['path'], expected: string, found: unknown): Problem {
  return {
    path,
    code: 'invalid',
    expected,
    received: rule.isShown ? describeValue(found) : describeKind(found),
  };
}
