import { z } from 'zod';

import { slackChannelId } from './message.ts';

/** Slack, as the bot of one workspace. */
export interface SlackSettings {
  readonly token: string;
  /** Where the Web API is, with its trailing path: `https://slack.com/api/` by default. */
  readonly apiUrl?: string | undefined;
  /** The id of the channel that recipes post to unless they name another one; undefined: each names its own. */
  readonly channel?: string | undefined;
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
};

type Variables = z.output<z.ZodObject<typeof slackVariables>>;

/** Undefined without a token. */
export function readSlackSettings(variables: Variables): SlackSettings | undefined {
  const { SLACK_BOT_TOKEN: token, SLACK_CHANNEL: channel, SLACK_API_URL: apiUrl } = variables;
  return token === undefined ? undefined : { token, channel, apiUrl };
}
