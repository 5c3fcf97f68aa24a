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
  const problems = checkFields(operation, fields, given, { isWire: false, sent: given });
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
  sent: Readonly<Record<string, unknown>>,
): RequestReading<Op> {
  const fields = listFields(operation);
  const given = Object.fromEntries(
    fields
      .filter(({ wire }) => Object.hasOwn(sent, wire) && sent[wire] !== undefined)
      .map(({ name, wire, rule }) => [name, rule.read(sent[wire])]),
  );
  const problems = checkFields(operation, fields, given, { isWire: true, sent });
  // Every field has been checked by its rule.
  return problems.length > 0 ? { ok: false, problems } : { ok: true, input: given as OperationInput<Op> };
}

type Given = Readonly<Record<string, unknown>>;

function readFields(input: unknown): Given | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

/** What the sender wrote, and whether by the names on the wire. */
interface Side {
  readonly isWire: boolean;
  readonly sent: Given;
}

/** The first broken rule of each field, in the sender's names. */
function checkFields(
  { checkTogether }: Operation,
  fields: readonly ListedField[],
  given: Given,
  side: Side,
): readonly Problem[] {
  const known = fields.map((field) => callField(field, side));
  const problems = Object.keys(side.sent)
    .filter((name) => !known.includes(name))
    .map((name) => unknownName([name], known));
  for (const field of fields) problems.push(...checkField(field, given[field.name], side));
  if (problems.length > 0) return problems;
  const broken = checkTogether?.(given);
  const field = fields.find(({ name }) => name === broken?.name);
  return broken === undefined || field === undefined ? [] : [invalid(field, broken, side)];
}

function callField({ name, wire }: ListedField, { isWire }: Side): string {
  return isWire ? wire : name;
}

function checkField(field: ListedField, value: unknown, side: Side): readonly Problem[] {
  const { rule, place, required: isRequired } = field;
  if (value === undefined) {
    const path = [callField(field, side)];
    return isRequired ? [{ path, code: 'missing', expected: rule.words }] : [];
  }
  const broken = rule.check(value);
  // A server has resolved the path before it reads it.
  if (!side.isWire && broken.length === 0 && place === 'path' && walksUp(rule.write(value))) {
    return [{ path: [field.name], code: 'invalid', expected: walksUpRule }];
  }
  return broken.map((one) => invalid(field, one, side, value));
}

function invalid(
  field: ListedField,
  { expected, index }: { readonly expected: string; readonly index?: number },
  side: Side,
  value?: unknown,
): Problem {
  const name = callField(field, side);
  const isItem = index !== undefined && Array.isArray(value);
  const found: unknown = isItem ? value[index] : side.sent[name];
  return {
    path: index === undefined ? [name] : [name, index],
    code: 'invalid',
    expected,
    received: field.rule.isShown ? describeValue(found) : describeKind(found),
  };
}
