import { canCronFire, isCronExpression, isTimeZone, limits, isWebAddress } from '@aftermeet/contract/pure';

import type { FieldRule, WireField } from './wire-operation.ts';

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
