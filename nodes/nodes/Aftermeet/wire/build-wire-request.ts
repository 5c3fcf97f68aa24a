import {
  type Problem,
  canCronFire,
  describeKind,
  isCronExpression,
  isTimeZone,
  isWebAddress,
  limits,
  tidyCron,
  unknownName,
  walksUp,
  walksUpRule,
} from '@aftermeet/contract/pure';

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
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Turns fields into what goes on the wire, as the contract's `buildRequest` does. Wrong ones are a value. Pure. */
export function buildWireRequest({ method, path, fields }: WireOperation, given: WireFields): WireRequest {
  const problems: Problem[] = Object.keys(given)
    .filter((name) => given[name] !== undefined && !Object.hasOwn(fields, name))
    .map((name) => unknownName([name], Object.keys(fields)));
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

function findProblem(name: string, field: WireField, value: unknown): Problem | undefined {
  const { holds, words } = fieldRules[field.rule];
  const choice = field.values === undefined ? '' : `: ${field.values.join(', ')}`;
  const expected = `${words}${describeRange(field)}${choice}`;
  const path = [name];
  if (value === undefined) return field.required ? { path, code: 'missing', expected } : undefined;
  const received = describeKind(value);
  if (!holds(value, field)) return { path, code: 'invalid', expected, received };
  const isPath = field.place === 'path' && typeof value === 'string';
  return isPath && walksUp(value) ? { path, code: 'invalid', expected: walksUpRule } : undefined;
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

interface Rule {
  readonly holds: (value: unknown, field: WireField) => boolean;
  /** What it must be, for people. */
  readonly words: string;
}

const halfPair = /\p{Surrogate}/u;

// As browsers check an address (WHATWG HTML, "valid e-mail address").
const mailAddress =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

const listItem = /^[^,\s](?:[^,]*[^,\s])?$/;

const start =
  /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

const uuid =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|0{8}-0{4}-0{4}-0{4}-0{12}|f{8}-f{4}-f{4}-f{4}-f{12})$/i;

/** What each rule asks for: the contract's own rules, which a test holds against these. */
export const fieldRules: Readonly<Record<FieldRule, Rule>> = {
  'any text': { holds: isText, words: 'text' },
  text: { holds: isFilled, words: 'text that is not empty' },
  'web address': {
    holds: (value) => typeof value === 'string' && isWebAddress(value),
    words: 'a web address that begins with http:// or https://',
  },
  'planned start': {
    holds: (value) => isText(value) && start.test(value) && isDay(value.slice(0, 10)),
    words: 'an ISO 8601 date and time with a UTC offset such as 2026-07-07T12:00:00+03:00',
  },
  cron: {
    holds: (value) => isFilled(value) && isCronExpression(value) && canCronFire(value),
    words: 'a cron expression of five fields that can fire, such as 0 9 * * 1',
  },
  'mail addresses': {
    holds: (value) => isListOf(value, (item) => mailAddress.test(item)),
    words: 'e-mail addresses in ASCII, with commas between them',
  },
  secret: {
    holds: (value) => isText(value) && isSecretLength(value),
    words: `${limits.secretMinLength} to ${limits.secretMaxLength} characters`,
  },
  'list items': {
    holds: (value) => isListOf(value, (item) => isFilled(item) && listItem.test(item)),
    words: 'values that are not empty, with commas between them',
  },
  date: { holds: (value) => isText(value) && isDay(value), words: 'a date such as 2026-07-07' },
  'time zone': {
    holds: (value) => typeof value === 'string' && isTimeZone(value),
    words: 'an IANA time-zone name such as Europe/Berlin',
  },
  uuid: { holds: (value) => isText(value) && uuid.test(value), words: 'a UUID' },
  'file name': {
    holds: (value) => isFilled(value) && /^\P{Cc}+$/u.test(value),
    words: 'a file name without control characters',
  },
  sha256: {
    holds: (value) => isText(value) && /^[0-9a-f]{64}$/.test(value),
    words: 'a SHA-256 of 64 lowercase hex digits',
  },
  'whole number': {
    holds: (value, { min = 0, max = Number.MAX_SAFE_INTEGER }) =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max,
    words: 'a whole number',
  },
  boolean: { holds: (value) => typeof value === 'boolean', words: 'true or false' },
  'one of': {
    holds: (value, { values = [] }) => isText(value) && values.includes(value),
    words: 'one of its values',
  },
  bytes: { holds: (value) => value instanceof Uint8Array, words: 'bytes' },
};

function isText(value: unknown): value is string {
  return typeof value === 'string' && !halfPair.test(value);
}

function isFilled(value: unknown): value is string {
  return isText(value) && value !== '';
}

function isListOf(value: unknown, holds: (item: string) => boolean): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((item) => isText(item) && holds(item));
}

/** In code points, as the contract's schema counts: an emoji is one character. */
function isSecretLength(text: string): boolean {
  const { secretMinLength: min, secretMaxLength: max } = limits;
  if (text.length > 2 * max) return false;
  const { length } = Array.from(text);
  return length >= min && length <= max;
}

/** `2026-02-29` is none. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/** How a field is written on the wire; `text` as it is. */
type WireKind = 'text' | 'list' | 'boolean' | 'integer' | 'file';

/** Where it goes: as in the contract. */
export type WirePlace = 'path' | 'query' | 'body' | 'form';

/** One field of a request. */
export interface WireField {
  readonly place: WirePlace;
  readonly required: boolean;
  readonly kind: WireKind;
  /** The rule that its value keeps. */
  readonly rule: FieldRule;
  /** Of `one of`: the values that there are. */
  readonly values?: readonly string[];
  /** Of a whole number: the least one. */
  readonly min?: number;
  /** Of a whole number: the greatest one, where there is one. */
  readonly max?: number;
}

/** What a value has to be. */
export type FieldRule =
  | 'any text'
  | 'text'
  | 'web address'
  | 'planned start'
  | 'cron'
  | 'mail addresses'
  | 'secret'
  | 'list items'
  | 'date'
  | 'time zone'
  | 'uuid'
  | 'file name'
  | 'sha256'
  | 'whole number'
  | 'boolean'
  | 'one of'
  | 'bytes';

/** One operation of the service without zod, which may not be bundled. That it says what the contract says, a test shows. */
export interface WireOperation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `{name}` stands for a field whose place is `path`. */
  readonly path: string;
  readonly fields: Readonly<Record<string, WireField>>;
  /** May be sent again when it is unknown whether the first attempt took effect. */
  readonly repeatable: boolean;
}
