import { isTimeZone, isWebAddress } from './addresses.ts';
import { canCronFire, isCronExpression, tidyCron } from './cron.ts';
import { limits } from './limits.ts';
import { addOffset, hasOffset, machineZone } from './local-time.ts';

// Plain functions: the contract is bundled where a schema library may not be (n8n's scan of community nodes).

declare const valueOfRule: unique symbol;

/** What a value must be, and how it goes over the wire, where everything but bytes is text. */
export interface Rule<Value = unknown> {
  /** After "must be": `text that is not empty`. */
  readonly words: string;
  /** What a caller writes. */
  readonly type: 'text' | 'list of texts' | 'whole number' | 'true or false' | 'bytes';
  /** The caller's value as JSON Schema (2020-12), as far as that can say it. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** The values are no secret: a problem may repeat one. */
  readonly isShown: boolean;
  /** What is broken, the first at each place; nothing if the value is right. */
  readonly check: (value: unknown) => readonly Broken[];
  /** A value that is right, for the wire. */
  readonly write: (value: unknown) => string;
  /** The caller's value of what the wire carries; for what cannot be one something that `check` refuses. */
  readonly read: (wire: unknown) => unknown;
  /** For the compiler alone. */
  readonly [valueOfRule]?: Value;
}

/** A rule that is broken. */
interface Broken {
  readonly expected: string;
  /** Of a list: which item. */
  readonly index?: number;
}

interface TextRule extends Partial<Pick<Rule, 'schema' | 'isShown'>> {
  readonly words: string;
  /** What the text breaks; undefined if it is right. */
  readonly refuse: (text: string) => string | undefined;
  /** The form that the text has on the wire; default as it is. */
  readonly tidy?: (text: string) => string;
}

const shown = { isShown: true } as const;

const halfPair = /\p{Surrogate}/u;

function textRule({ words, refuse, schema = {}, isShown = false, tidy = String }: TextRule): Rule<string> {
  return {
    words,
    type: 'text',
    schema: { type: 'string', ...schema },
    isShown,
    check(value) {
      const expected = typeof value === 'string' ? refuse(value) : words;
      return expected === undefined ? [] : [{ expected }];
    },
    write: (value) => tidy(String(value)),
    read: (wire) => (typeof wire === 'string' ? tidy(wire) : wire),
  };
}

/** Text that UTF-8 can carry. For fields where emptiness has a meaning. */
export function possiblyEmptyText(words = 'text'): Rule<string> {
  return textRule({ words, refuse: refuseHalfPair });
}

function refuseHalfPair(value: string): string | undefined {
  return halfPair.test(value) ? 'text without half of a surrogate pair' : undefined;
}

/** The same, and not empty. */
export function text(
  words = 'text that is not empty',
  facts: Partial<Pick<Rule, 'isShown' | 'schema'>> = {},
): Rule<string> {
  return textRule({
    words,
    ...facts,
    schema: { minLength: 1, ...facts.schema },
    refuse: (value) => (value === '' ? words : refuseHalfPair(value)),
  });
}

/** Text that is not empty and no secret. */
export function shownText(words: string): Rule<string> {
  return text(words, shown);
}

const addressWords = 'a web address that begins with http:// or https://';

export const webAddress = textRule({
  words: addressWords,
  schema: { format: 'uri' },
  refuse: (value) => (isWebAddress(value) ? undefined : addressWords),
});

/** RFC 9562: versions 1 to 8, and the two UUIDs of equal digits. */
const uuidPattern =
  /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|0{8}-0{4}-0{4}-0{4}-0{12}|f{8}-f{4}-f{4}-f{4}-f{12})$/i;

const uuidWords = 'a UUID such as 3f0c6f5e-8a3d-4c1b-9d2e-7a6b5c4d3e2f';

export const uuid = textRule({
  words: uuidWords,
  ...shown,
  schema: { format: 'uuid' },
  refuse: (value) => (uuidPattern.test(value) ? undefined : uuidWords),
});

const startWords = 'an ISO 8601 date and time with a UTC offset such as 2026-07-07T12:00:00+03:00';

// In ISO 8601 the seconds may be left out. JSON Schema's `date-time` is RFC 3339, where they may not: so no format.
const startPattern =
  /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

export const startTime = textRule({
  words: startWords,
  ...shown,
  refuse: (value) =>
    startPattern.test(value) && isDay(value.slice(0, 10)) ? undefined : proposeOffset(value),
});

/** A time without an offset gets the one that it would have by the clock of this machine. */
function proposeOffset(start: string): string {
  const placed = hasOffset(start) ? undefined : addOffset(start, machineZone());
  return placed === undefined
    ? startWords
    : `an ISO 8601 date and time with a UTC offset: add ${placed.slice(-6)}`;
}

const cronWords = 'a cron expression of five fields such as 0 9 * * 1';

export const cronExpression = textRule({
  words: cronWords,
  ...shown,
  schema: { minLength: 1 },
  tidy: tidyCron,
  refuse(value) {
    if (halfPair.test(value) || !isCronExpression(value)) return cronWords;
    return canCronFire(value)
      ? undefined
      : 'a cron expression that can fire: none of its months has any of its days';
  },
});

// As browsers check an address (WHATWG HTML, "valid e-mail address"): a local part that needs no quotes, a domain as DNS has it.
const mailAddressPattern =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

export const mailAddresses = listRule({
  words: 'a list of e-mail addresses',
  schema: { type: 'string', format: 'email' },
  refuse(item) {
    if (mailAddressPattern.test(item)) return undefined;
    return /<[^<>@]+@[^<>@]+>\s*$/.test(item)
      ? 'an e-mail address alone: what stands between < and >, without the name'
      : 'an e-mail address in ASCII, an internationalised domain in its xn-- form';
  },
});

const { secretMinLength, secretMaxLength } = limits;
const secretWords = `${secretMinLength} to ${secretMaxLength} characters`;

export const secret = textRule({
  words: secretWords,
  schema: { minLength: secretMinLength, maxLength: secretMaxLength, format: 'password' },
  refuse: (value) => refuseHalfPair(value) ?? (isSecretLength(value) ? undefined : secretWords),
});

/** In code points: an emoji is one character. */
function isSecretLength(value: string): boolean {
  if (value.length > 2 * secretMaxLength) return false;
  const { length } = Array.from(value);
  return length >= secretMinLength && length <= secretMaxLength;
}

const zoneWords = 'an IANA time-zone name such as Europe/Berlin';

export const timeZoneName = textRule({
  words: zoneWords,
  ...shown,
  refuse: (value) => (isTimeZone(value) ? undefined : zoneWords),
});

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;

const dateWords = 'a date such as 2026-07-07';

export const date = textRule({
  words: dateWords,
  ...shown,
  schema: { format: 'date' },
  refuse(value) {
    if (isDay(value)) return undefined;
    return dayPattern.test(value) ? 'a day of the calendar such as 2026-07-07' : dateWords;
  },
});

/** `2026-02-29` is none. */
function isDay(value: string): boolean {
  if (!dayPattern.test(value)) return false;
  const ms = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(value);
}

const listItemPattern = /^[^,\s](?:[^,]*[^,\s])?$/;

/** A list for the caller, comma-separated text on the wire. Its values are no secret unless `isShown` is false. */
export function listItems(words: string, isShown = true): Rule<readonly string[]> {
  return listRule({
    words,
    isShown,
    schema: { type: 'string', minLength: 1, pattern: listItemPattern.source },
    refuse(item) {
      if (item === '') return 'text that is not empty';
      return (
        refuseHalfPair(item) ??
        (listItemPattern.test(item) ? undefined : 'text without commas and without blanks at its ends')
      );
    },
  });
}

interface ListRule {
  readonly words: string;
  readonly isShown?: boolean;
  /** Of an item. */
  readonly schema: Rule['schema'];
  /** What an item breaks. */
  readonly refuse: (item: string) => string | undefined;
}

function listRule({ words, isShown = false, schema, refuse }: ListRule): Rule<readonly string[]> {
  return {
    words,
    type: 'list of texts',
    schema: { minItems: 1, type: 'array', items: schema },
    isShown,
    check(value) {
      if (!Array.isArray(value)) return [{ expected: words }];
      if (value.length === 0) return [{ expected: `${words}, with at least one in it` }];
      return Array.from<unknown>(value).flatMap((item, index) => {
        const expected = typeof item === 'string' ? refuse(item) : 'text';
        return expected === undefined ? [] : [{ expected, index }];
      });
    },
    write: (value) => (Array.isArray(value) ? value.join(',') : ''),
    read: (wire) => (typeof wire === 'string' ? wire.split(',').map((part) => part.trim()) : null),
  };
}

const fileNameWords = 'a file name without control characters';

export const fileName = textRule({
  words: fileNameWords,
  schema: { minLength: 1, pattern: String.raw`^\P{Cc}+$` },
  refuse(value) {
    if (value === '') return fileNameWords;
    return refuseHalfPair(value) ?? (/^\P{Cc}+$/u.test(value) ? undefined : fileNameWords);
  },
});

const digestWords = 'a SHA-256 of 64 lowercase hex digits';

export const sha256 = textRule({
  words: digestWords,
  schema: { pattern: '^[0-9a-f]{64}$' },
  refuse: (value) => (/^[0-9a-f]{64}$/.test(value) ? undefined : digestWords),
});

/** One of a closed set of values. */
export function oneOf<const Value extends string>(values: readonly Value[], words: string): Rule<Value> {
  return textRule({
    words,
    ...shown,
    schema: { enum: values },
    refuse: (value) => (values.some((known) => known === value) ? undefined : words),
    // The text that the check lets through is one of the values.
  }) as Rule<Value>;
}

/** `true` or `false` on the wire. */
export const trueOrFalse: Rule<boolean> = {
  words: 'true or false',
  type: 'true or false',
  schema: { type: 'boolean' },
  ...shown,
  check: (value) => (typeof value === 'boolean' ? [] : [{ expected: 'true or false' }]),
  write: String,
  read(wire) {
    if (wire === 'true') return true;
    return wire === 'false' ? false : null;
  },
};

/** A whole number for the caller, decimal digits on the wire. Without `max` it may be as large as a number can be exactly. */
export function wholeNumber(
  min: number,
  max?: number,
  words = max === undefined ? `a whole number of at least ${min}` : `a whole number from ${min} to ${max}`,
): Rule<number> {
  const top = max ?? Number.MAX_SAFE_INTEGER;
  return {
    words,
    type: 'whole number',
    schema: { type: 'integer', minimum: min, ...(max === undefined ? {} : { maximum: max }) },
    ...shown,
    check: (value) =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= top
        ? []
        : [{ expected: words }],
    write: String,
    read: (wire) => (typeof wire === 'string' && /^(0|[1-9][0-9]{0,15})$/.test(wire) ? Number(wire) : null),
  };
}

const byteWords = 'bytes (Uint8Array or Buffer)';

/** The bytes of a file in a form. JSON Schema has no type for them. */
export const fileBytes: Rule<Uint8Array> = {
  words: byteWords,
  type: 'bytes',
  schema: { contentMediaType: 'application/octet-stream' },
  isShown: false,
  check: (value) => (value instanceof Uint8Array ? [] : [{ expected: byteWords }]),
  write: () => '',
  read: (wire) => wire,
};
