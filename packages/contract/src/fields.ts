import * as z from 'zod';

import { isTimeZone, isWebAddress } from './addresses.ts';
import { canCronFire, isCronExpression, tidyCron } from './cron.ts';
import { limits } from './limits.ts';
import { addOffset, hasOffset, machineZone } from './local-time.ts';
import { shownValues } from './parse-schema.ts';
import { describeValue, type Problem } from './problem.ts';
import { latestStartMs } from './scheduling-horizon.ts';
import { platforms } from './vocabulary.ts';

const halfPair = /\p{Surrogate}/u;

const shown = { shown: true } as const;

/** Text that is not empty and that UTF-8 can carry. */
export function text(rule = 'text that is not empty') {
  return possiblyEmptyText(rule).min(1, { error: rule });
}

/** As `text`, for fields where emptiness has a meaning. */
export function possiblyEmptyText(rule = 'text') {
  return z
    .string({ error: rule })
    .refine((value) => !halfPair.test(value), { error: 'text without half of a surrogate pair' });
}

const addressRule = 'a web address that begins with http:// or https://';

export const webAddress = z
  .string({ error: addressRule })
  .refine(isWebAddress, { error: addressRule })
  .meta({ format: 'uri' });

const uuidRule = 'a UUID such as 3f0c6f5e-8a3d-4c1b-9d2e-7a6b5c4d3e2f';

export const uuid = z.uuid({ error: uuidRule }).register(shownValues, shown);

export const meetingId = text('a meeting id that is not empty')
  .meta({ description: 'The meeting' })
  .register(shownValues, shown);

export const templateName = text('the slug of a built-in template or the id of a custom one')
  .meta({
    description: 'The report template: the slug of a built-in one or the UUID of a custom one',
    examples: ['default-meeting', 'sales-meeting', 'team-sync'],
  })
  .register(shownValues, shown);

export const source = text('a platform identifier such as gmeet')
  .meta({
    description: 'The meeting platform; an open set',
    examples: platforms.slice(0, 2),
    observedExamples: platforms.slice(2),
  })
  .register(shownValues, shown);

const startRule = 'an ISO 8601 date and time with a UTC offset such as 2026-07-07T12:00:00+03:00';

// In ISO 8601 the seconds may be left out. JSON Schema's `date-time` is RFC 3339, where they may not: so no format.
const startPrecisions = [
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ offset: true, precision: -1 }),
] as const;

export const localDateTime = z
  .string({ error: startRule })
  .refine((start) => startPrecisions.some((precision) => precision.safeParse(start).success), {
    error: ({ input }) => describeStart(input),
  })
  .meta({
    description: 'Planned start, up to three months ahead; the seconds may be left out',
    examples: ['2026-07-07T12:00:00+03:00', '2026-07-07T12:00+03:00'],
  })
  .register(shownValues, shown);

/** A time without an offset gets the one that it would have by the clock of this machine. */
function describeStart(start: unknown): string {
  const placed = typeof start === 'string' && !hasOffset(start) ? addOffset(start, machineZone()) : undefined;
  return placed === undefined
    ? startRule
    : `an ISO 8601 date and time with a UTC offset: add ${placed.slice(-6)}`;
}

/** For a clock that is wrong, and for the minutes between writing a time and sending it. */
const MAX_START_AGE_MS = 5 * 60_000;

/**
 * What is wrong with a planned start at the time `nowMs` (Unix milliseconds): it lies too far ahead, or, unless
 * `allowPast`, in the past. Needs a clock, so no schema holds it; text that is no date and time is for the schema to
 * refuse.
 */
export function checkStart(
  start: string | undefined,
  nowMs: number,
  { allowPast = false }: { readonly allowPast?: boolean | undefined } = {},
): Problem | undefined {
  if (!localDateTime.safeParse(start).success) return undefined;
  const latestMs = latestStartMs(nowMs);
  const startMs = Date.parse(String(start));
  const refuse = (expected: string): Problem => ({
    path: ['local_date_time'],
    code: 'invalid',
    expected,
    received: describeValue(start),
  });
  if (startMs > latestMs) {
    return refuse(
      `at most ${limits.schedulingHorizonMonths} months ahead: ${new Date(latestMs).toISOString()} at the latest`,
    );
  }
  if (allowPast || startMs >= nowMs - MAX_START_AGE_MS) return undefined;
  return {
    ...refuse(`a time to come: it is ${new Date(nowMs).toISOString()} now`),
    override: 'allowPast',
  };
}

const cronRule = 'a cron expression of five fields such as 0 9 * * 1';

export const cron = text('a cron expression of five fields such as 0 9 * * 1')
  .refine(isCronExpression, { error: cronRule, abort: true })
  .refine(canCronFire, {
    error: 'a cron expression that can fire: none of its months has any of its days',
  })
  .overwrite(tidyCron)
  .meta({ description: 'Recurrence: a cron expression of five fields; observed to be read as UTC' })
  .register(shownValues, shown);

// As browsers check it: a local part of any shape that needs no quotes, and a domain as DNS has it.
const mailAddress = z.email({
  pattern: z.regexes.html5Email,
  error: ({ input }) =>
    typeof input === 'string' && /<[^<>@]+@[^<>@]+>\s*$/.test(input)
      ? 'an e-mail address alone: what stands between < and >, without the name'
      : 'an e-mail address in ASCII, an internationalised domain in its xn-- form',
});

export const participants = csv(mailAddress, 'a list of e-mail addresses').meta({
  description: 'E-mail addresses of the participants; the service may write to them itself',
});

export const webhookAddress = webAddress.meta({
  description: 'Where the service sends the events of this meeting',
});

const secretRule = `${limits.secretMinLength} to ${limits.secretMaxLength} characters`;

export const webhookSecret = possiblyEmptyText(
  `${limits.secretMinLength} to ${limits.secretMaxLength} characters`,
)
  .min(limits.secretMinLength, { error: secretRule })
  .max(limits.secretMaxLength, { error: secretRule })
  .meta({ description: 'Signs the events of this meeting', format: 'password' });

const zoneRule = 'an IANA time-zone name such as Europe/Berlin';

export const timeZone = z
  .string({ error: zoneRule })
  .refine(isTimeZone, { error: zoneRule })
  .meta({ description: 'IANA time-zone name for the times in the file', examples: ['Europe/Berlin'] })
  .register(shownValues, shown);

export const date = z.iso
  .date({
    error: ({ input }) =>
      typeof input === 'string' && /^\d{4}-\d\d-\d\d$/.test(input)
        ? 'a day of the calendar such as 2026-07-07'
        : 'a date such as 2026-07-07',
  })
  .register(shownValues, shown);

/** An item of a comma-separated list. */
export const listItem = text().regex(/^[^,\s](?:[^,]*[^,\s])?$/, {
  error: 'text without commas and without blanks at its ends',
});

const schema = z
  .unknown()
  .refine((value) => value instanceof Uint8Array, { error: 'bytes (Uint8Array or Buffer)' })
  .meta({
    // JSON Schema 2020-12 has no type for raw bytes.
    contentMediaType: 'application/octet-stream',
    description: 'The bytes of this chunk, under the file name; none in the last request',
  });

/**
 * The bytes of a multipart file part. JSON Schema has no class for bytes, so the schema takes `unknown` and
 * checks; this is the package's one cast, and it says what the check has proved.
 */
export const filePart = schema as unknown as z.ZodType<Uint8Array, Uint8Array>;

/** A list for the caller, comma-separated text on the wire: the items' schema must refuse commas. */
export function csv(item: z.ZodType<string, string>, rule: string) {
  const list = z.array(item, { error: rule }).min(1, { error: `${rule}, with at least one in it` });
  return z.codec(list, z.string(), {
    decode: (items) => items.join(','),
    encode: (wire) => wire.split(',').map((part) => part.trim()),
  });
}

/** A boolean for the caller, `true` or `false` on the wire. */
export function booleanText() {
  return z
    .codec(z.boolean({ error: 'true or false' }), z.enum(['true', 'false']), {
      decode: (value) => (value ? 'true' : 'false'),
      encode: (wire) => wire === 'true',
    })
    .register(shownValues, shown);
}

/** A whole number for the caller, decimal digits on the wire. Without `max` it may be as large as a number can be exactly. */
export function integerText(
  min: number,
  max = Number.MAX_SAFE_INTEGER,
  rule = max === Number.MAX_SAFE_INTEGER
    ? `a whole number of at least ${min}`
    : `a whole number from ${min} to ${max}`,
) {
  const error = rule;
  const integer = z.int({ error }).min(min, { error }).max(max, { error });
  return z
    .codec(integer, z.string({ error }).regex(/^(0|[1-9][0-9]{0,15})$/, { error }), {
      decode: (value) => String(value),
      encode: (wire) => Number(wire),
    })
    .register(shownValues, shown);
}
