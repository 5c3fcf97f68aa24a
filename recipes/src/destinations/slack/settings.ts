import { z } from 'zod';

import { slackChannelId } from './message.ts';

/** Slack, as the bot of one workspace. */
export interface SlackSettings {
  readonly token: string;
  /** Where the Web API is, with its trailing path: `https://slack.com/api/` by default. */
  readonly apiUrl?: string | undefined;
  /** The id of the channel that recipes post to unless they name another one; undefined: each names its own. */
  readonly channel?: string | undefined;
  /** Signs what Slack posts to `/slack/interactivity`. */
  readonly signingSecret?: string | undefined;
  /** Opens Socket Mode, which needs no public address. */
  readonly appToken?: string | undefined;
}

/** Variables of the environment. */
export const slackVariables = {
  SLACK_BOT_TOKEN: z
    .string()
    .regex(/^xox[a-z]-\S+$/, { error: 'a bot token, which starts with xoxb-' })
    .optional(),
  SLACK_API_URL: z.url({ protocol: /^https?$/, error: 'an http or https address' }).optional(),
  SLACK_CHANNEL: z
    .string()
    .regex(slackChannelId, { error: "a channel's id, such as C0123ABC, not its name" })
    .optional(),
  SLACK_SIGNING_SECRET: z
    .string()
    .regex(/^[0-9A-Za-z]{32,64}$/, { error: 'the signing secret of the app, 32 characters' })
    .optional(),
  SLACK_APP_TOKEN: z
    .string()
    .regex(/^xapp-\S+$/, { error: 'an app-level token, which starts with xapp-' })
    .optional(),
};

type Variables = z.output<z.ZodObject<typeof slackVariables>>;

/** Undefined without a token. */
export function readSlackSettings(variables: Variables): SlackSettings | undefined {
  const { SLACK_BOT_TOKEN: token, SLACK_CHANNEL: channel, SLACK_API_URL: apiUrl } = variables;
  const { SLACK_SIGNING_SECRET: signingSecret, SLACK_APP_TOKEN: appToken } = variables;
  return token === undefined ? undefined : { token, channel, apiUrl, signingSecret, appToken };
}
