import { z } from 'zod';

import { isMailAddress } from '../email/mail-address.ts';
import { slackChannelId } from '../slack/slack-channel-id.ts';

/** Options that several prebuilt recipes offer. */
export const channelOption = z
  .string({ error: 'the id of a channel, such as C0123456789' })
  .regex(slackChannelId, { error: 'the id of a channel, such as C0123456789, not its name' })
  .optional()
  .describe('The id of the channel to post to; without it SLACK_CHANNEL.');

const address = z.string().refine(isMailAddress, { error: 'an address such as name@example.com' });

export const recipientsOption = z
  .union([address.transform((one) => [one]), z.array(address).min(1)], {
    error: 'one address such as name@example.com, or a list of them',
  })
  .optional()
  .describe('Who receives the mail; without it MAIL_TO.');

export const linkOption = z
  .string({ error: 'an address that starts with https://' })
  .regex(/^https?:\/\/[^\s<>"|]{1,1000}$/, { error: 'an address that starts with https://' })
  .optional()
  .describe(
    'The address that "Open the report" leads to; {meeting_id} in it becomes the id. Without it, no link.',
  );

/** The link with its meeting id filled in. */
export function fillLink(link: string | undefined, meetingId: string): string | undefined {
  return link?.replaceAll('{meeting_id}', encodeURIComponent(meetingId));
}
