import { z } from 'zod';

import { canCronFire } from './cron-firing.ts';
import { isCronExpression, tidyCron } from './cron-shape.ts';
import { isWebAddress } from './is-web-address.ts';
import { limits } from './limits.ts';
import { platforms } from './platforms.ts';
import { mustBe } from './rule.ts';
import { isTimeZone } from './time-zone.ts';
import { csv } from './wire-codecs.ts';

const halfPair = /\p{Surrogate}/u;

/** Text that is not empty and that UTF-8 can carry. */
export function text(rule = 'text that is not empty') {
  const error = mustBe(rule);
  return possiblyEmptyText(rule).min(1, { error });
}

/** As `text`, for fields where emptiness has a meaning. */
export function possiblyEmptyText(rule = 'text') {
  return z
    .string({ error: mustBe(rule) })
    .refine((value) => !halfPair.test(value), { error: mustBe('text without half of a surrogate pair') });
}

const addressRule = mustBe('a web address that begins with http:// or https://');

export const webAddress = z
  .string({ error: addressRule })
  .refine(isWebAddress, { error: addressRule })
  .meta({ format: 'uri' });

const uuidRule = mustBe('a UUID such as 3f0c6f5e-8a3d-4c1b-9d2e-7a6b5c4d3e2f');

export const uuid = z.uuid({ error: uuidRule });

export const meetingId = text('a meeting id that is not empty').meta({ description: 'The meeting' });

export const templateName = text('the slug of a built-in template or the id of a custom one').meta({
  description: 'The report template: the slug of a built-in one or the UUID of a custom one',
  examples: ['default-meeting', 'sales-meeting', 'team-sync'],
});

export const source = text('a platform identifier such as gmeet').meta({
  description: 'The meeting platform; an open set',
  examples: platforms.slice(0, 2),
  observedExamples: platforms.slice(2),
});

const startRule = mustBe('an ISO 8601 date and time with a UTC offset such as 2026-07-07T12:00:00+03:00');

// In ISO 8601 the seconds may be left out. JSON Schema's `date-time` is RFC 3339, where they may not: so no format.
const startPrecisions = [
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ offset: true, precision: -1 }),
] as const;

export const localDateTime = z
  .string({ error: startRule })
  .refine((start) => startPrecisions.some((precision) => precision.safeParse(start).success), {
    error: startRule,
  })
  .meta({
    description: 'Planned start, up to three months ahead; the seconds may be left out',
    examples: ['2026-07-07T12:00:00+03:00', '2026-07-07T12:00+03:00'],
  });

const cronRule = mustBe('a cron expression of five fields such as 0 9 * * 1');

export const cron = text('a cron expression of five fields such as 0 9 * * 1')
  .refine(isCronExpression, { error: cronRule, abort: true })
  .refine(canCronFire, {
    error: 'must be a cron expression that can fire: none of its months has any of its days',
  })
  .overwrite(tidyCron)
  .meta({ description: 'Recurrence: a cron expression of five fields; observed to be read as UTC' });

// As browsers check it: a local part of any shape that needs no quotes, and a domain as DNS has it.
const mailAddress = z.email({
  pattern: z.regexes.html5Email,
  error: mustBe('an e-mail address in ASCII, an internationalised domain in its xn-- form'),
});

export const participants = csv(mailAddress, 'a list of e-mail addresses').meta({
  description: 'E-mail addresses of the participants; the service may write to them itself',
});

export const webhookAddress = webAddress.meta({
  description: 'Where the service sends the events of this meeting',
});

const secretRule = mustBe(`${limits.secretMinLength} to ${limits.secretMaxLength} characters`);

export const webhookSecret = possiblyEmptyText(
  `${limits.secretMinLength} to ${limits.secretMaxLength} characters`,
)
  .min(limits.secretMinLength, { error: secretRule })
  .max(limits.secretMaxLength, { error: secretRule })
  .meta({ description: 'Signs the events of this meeting', format: 'password' });

const zoneRule = mustBe('an IANA time-zone name such as Europe/Berlin');

export const timeZone = z
  .string({ error: zoneRule })
  .refine(isTimeZone, { error: zoneRule })
  .meta({ description: 'IANA time-zone name for the times in the file', examples: ['Europe/Berlin'] });

export const date = z.iso.date({ error: mustBe('a date such as 2026-07-07') });

/** An item of a comma-separated list. */
export const listItem = text().regex(/^[^,\s](?:[^,]*[^,\s])?$/, {
  error: mustBe('text without commas and without blanks at its ends'),
});
