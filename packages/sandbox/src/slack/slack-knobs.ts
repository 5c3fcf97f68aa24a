import { z } from 'zod';

/** What the app may do unless told otherwise: everything that the stand-in plays. */
const allScopes = [
  'channels:history',
  'channels:join',
  'channels:read',
  'chat:write',
  'files:read',
  'files:write',
  'groups:history',
  'groups:read',
  'im:history',
  'im:read',
  'im:write',
  'users:read',
  'users:read.email',
];

/** How Slack is played, as far as it can be turned while the stand-in runs. */
export const slackKnobsSchema = z.strictObject({
  /** What became of the token: `token_revoked`, `token_expired`, `account_inactive`. */
  token: z.enum(['active', 'revoked', 'expired', 'inactive']),
  /** What the app was granted; without one that a method needs it is `missing_scope`. */
  scopes: z.array(z.string().min(1)),
  /** Messages that a channel takes in a second (Slack's page on rate limits says about 1); null: any number. */
  messages_per_second: z.number().positive().nullable(),
  /** Calls of one method that a workspace takes in a minute (Slack's tiers: 1, 20, 50, 100); null: any number. */
  calls_per_minute: z.int().positive().nullable(),
  /** What becomes of a text of more than 40,000 characters: Slack cuts it and warns, and a sender that may lose text silently is better refused. */
  long_text: z.enum(['refuse', 'truncate']),
  /** How long a message can be updated; null: always, as at Slack for apps. */
  edit_window_minutes: z.number().min(0).nullable(),
});

export type SlackKnobs = z.output<typeof slackKnobsSchema>;

export const usualSlackKnobs: SlackKnobs = {
  token: 'active',
  scopes: allScopes,
  messages_per_second: null,
  calls_per_minute: null,
  long_text: 'refuse',
  edit_window_minutes: null,
};
