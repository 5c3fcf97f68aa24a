import { z } from 'zod';

import { writeFooterOf, writeSharedUnsubscribeUrl } from '../destinations/email/mail-page.ts';
import { renderMailDigest } from '../destinations/email/render-mail-digest.ts';
import type { Destinations } from '../destinations/settings.ts';
import type { RecipeSchedule } from '../engine/recipe.ts';
import { chooseLook, timezoneSchema } from '../words/index.ts';
import { definePrebuiltRecipe } from './define-prebuilt-recipe.ts';
import { planRecipients } from './plan-targets.ts';
import { fillLink, labelsOption, languageOption, linkOption, recipientsOption } from './shared-options.ts';

const every = ['day', 'week'] as const;

export const emailDigest = definePrebuiltRecipe({
  id: 'email-digest',
  description: 'Mails the meetings of the last day or week, each in a few lines.',
  destination: 'email',
  // It runs on a schedule, not on deliveries.
  events: [],
  transcript: 'present',
  reads: 'period',
  options: z.strictObject({
    to: recipientsOption,
    every: z
      .enum(every, { error: 'day or week' })
      .default('day')
      .describe('How often the mail is sent: day, or week (on Mondays). Default: day.'),
    at: z
      .string({ error: 'a time of day such as "08:00"' })
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'a time of day such as "08:00"' })
      .default('08:00')
      .describe('Time of day of the mail. Default: 08:00.'),
    timezone: timezoneSchema
      .optional()
      .describe(
        'Time zone of all times, such as Europe/Berlin. Default: timezone at the top of the file, else UTC.',
      ),
    link: linkOption,
    labels: labelsOption,
    language: languageOption,
  }),
  schedule: scheduleDigest,
  // An event without `since` does not come from the schedule, even if `when` names its kind.
  plan: (event, { to }, destinations) => (event.since === undefined ? [] : planRecipients(to, destinations)),
  present: (options, { email: mail, ...installation }) => ({
    from: 'period',
    render: (meetings, period) => {
      const unsubscribeUrl = mail === undefined ? undefined : writeSharedUnsubscribeUrl(mail);
      const { words, timeZone = 'UTC' } = chooseLook(options, installation);
      const linkTo = (meetingId: string): string | undefined => fillLink(options.link, meetingId);
      const footer = writeFooterOf(words.why[options.every], unsubscribeUrl, words);
      const message = renderMailDigest(meetings, period, timeZone, linkTo, footer, words);
      return { destination: 'email', message };
    },
  }),
});

/** The moment of the day, or of each Monday, as a cron expression. */
function scheduleDigest(
  options: {
    readonly every: (typeof every)[number];
    readonly at: string;
    readonly timezone?: string | undefined;
  },
  destinations: Destinations,
): RecipeSchedule {
  const [hour, minute] = options.at.split(':').map(Number);
  const days = options.every === 'week' ? '1' : '*';
  return {
    cron: `${String(minute)} ${String(hour)} * * ${days}`,
    timeZone: options.timezone ?? destinations.timezone ?? 'UTC',
  };
}
