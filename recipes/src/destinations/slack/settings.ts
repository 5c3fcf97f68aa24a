/** Slack, as the bot of one workspace. */
export interface SlackSettings {
  readonly token: string;
  /** Where the Web API is, with its trailing path: `https://slack.com/api/` by default. */
  readonly apiUrl?: string | undefined;
  /** The id of the channel that recipes post to unless they name another one; undefined: each names its own. */
  readonly channel?: string | undefined;
}
