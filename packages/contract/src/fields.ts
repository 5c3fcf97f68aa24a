import type { FieldFacts } from './field.ts';
import { mailAddresses, secret, shownText, startTime, webAddress } from './rules.ts';
import { platforms } from './vocabulary.ts';

// The fields that several operations have.

export const meetingId = {
  wire: 'meeting_id',
  rule: shownText('a meeting id that is not empty'),
  description: 'The meeting',
} satisfies FieldFacts<string>;

export const templateName = {
  wire: 'template_name',
  rule: shownText('the slug of a built-in template or the id of a custom one'),
  description: 'The report template: the slug of a built-in one or the UUID of a custom one',
  examples: ['default-meeting', 'sales-meeting', 'team-sync'],
} satisfies FieldFacts<string>;

export const source = {
  rule: shownText('a platform identifier such as gmeet'),
  description: 'The meeting platform; an open set',
  examples: platforms.slice(0, 2),
  observedExamples: platforms.slice(2),
} satisfies FieldFacts<string>;

export const localDateTime = {
  wire: 'local_date_time',
  rule: startTime,
  description: 'Planned start, up to three months ahead; the seconds may be left out',
  examples: ['2026-07-07T12:00:00+03:00', '2026-07-07T12:00+03:00'],
} satisfies FieldFacts<string>;

export const participants = {
  rule: mailAddresses,
  description: 'E-mail addresses of the participants; the service may write to them itself',
} satisfies FieldFacts<readonly string[]>;

export const webhookUrl = {
  wire: 'webhook_url',
  rule: webAddress,
  description: 'Where the service sends the events of this meeting',
} satisfies FieldFacts<string>;

export const webhookSecret = {
  wire: 'webhook_secret',
  rule: secret,
  description: 'Signs the events of this meeting',
} satisfies FieldFacts<string>;
