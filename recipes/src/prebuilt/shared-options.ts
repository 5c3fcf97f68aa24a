import { parseDuration } from '@aftermeet/contract';
import { z } from 'zod';

import { isMailAddress } from '../destinations/email/mail-address.ts';
import { slackChannelId } from '../destinations/slack/message.ts';
import { partNames } from '../report/arrange.ts';
import { labelNames, languageSchema, timezoneSchema } from '../words/index.ts';

/** Options that several prebuilt recipes offer. */
export const channelOption = z
  .string({ error: 'the id of a channel, such as C0123456789' })
  .regex(slackChannelId, { error: 'the id of a channel, such as C0123456789, not its name' })
  .optional()
  .describe('The id of the channel to post to. Default: SLACK_CHANNEL.');

const address = z.string().refine(isMailAddress, { error: 'an address such as name@example.com' });

export const recipientsOption = z
  .union([address.transform((one) => [one]), z.array(address).min(1)], {
    error: 'one address such as name@example.com, or a list of them',
  })
  .optional()
  .describe('Recipients: an address, or a list of them. Default: MAIL_TO; one of the two must be set.');

export const linkOption = z
  .string({ error: 'an address that starts with https://' })
  .regex(/^https?:\/\/[^\s<>"|]{1,1000}$/, { error: 'an address that starts with https://' })
  .optional()
  .describe('Address of "Open the report"; {meeting_id} is replaced by the id. Default: no link.');

export const languageOption = languageSchema
  .optional()
  .describe(
    'Language of the fixed words and of dates: en, de, fr, es, pt or ja, also with a region such as de-AT. Default: language at the top of the file, else en.',
  );

export const timezoneOption = timezoneSchema
  .optional()
  .describe(
    'Time zone of the start of the meeting, such as Europe/Berlin. Default: timezone at the top of the file, else the local time of the meeting.',
  );

const sectionsExpected = `a list of ${partNames.join(', ')}, each at most once`;

export const sectionsOption = z
  .array(z.enum(partNames, { error: sectionsExpected }), { error: sectionsExpected })
  .min(1, { error: sectionsExpected })
  .refine((names) => new Set(names).size === names.length, { error: sectionsExpected })
  .optional()
  .describe(
    'Which parts a message has, in this order: outcome (the first sentences of the summary, right under the title), summary (the rest of it, or all without outcome), decisions, tasks, more (the other sections of the report). Default: all of them.',
  );

const labelExpected = 'a text of 1 to 60 characters in one line';

const label = z.string({ error: labelExpected }).regex(/^\S(?:[^\r\n]{0,58}\S)?$/, { error: labelExpected });

export const labelsOption = z
  .partialRecord(z.enum(labelNames), label)
  .optional()
  .describe(
    `Your own words in place of ours, such as { tasks: To-dos }: ${labelNames.join(', ')}. Default: those of the language.`,
  );

/** Fills the meeting id into a link. */
export function fillLink(link: string | undefined, meetingId: string): string | undefined {
  return link?.replaceAll('{meeting_id}', encodeURIComponent(meetingId));
}

const MAX_COOLDOWN_MS = 7 * 24 * 60 * 60 * 1000;
const cooldownWords = { error: 'a time such as 10m, 2h or 1d (7d at most), or 0' };

/** Milliseconds between two alerts of one kind. */
export const cooldownOption = z
  .union([z.literal(0).transform(String), z.string()], cooldownWords)
  .prefault('10m')
  .transform((text, context) => {
    // A number alone could mean minutes.
    const ms = text === '0' || /[a-z]$/.test(text) ? parseDuration(text) : undefined;
    if (ms !== undefined && ms <= MAX_COOLDOWN_MS) return ms;
    context.addIssue({ code: 'custom', message: cooldownWords.error });
    return z.NEVER;
  })
  .describe(
    'After an alert, further alerts of its kind are only counted for this long, and the next one says how many: 10m, 2h, 1d; 0 sends each one. Default: 10m.',
  );
