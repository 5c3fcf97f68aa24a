import { z } from 'zod';

/** A Block Kit element as it came: read only where a rule or the page needs it. */
export const slackObjectSchema = z.record(z.string(), z.unknown());
export type SlackObject = z.infer<typeof slackObjectSchema>;

export const slackMetadataSchema = z.object({
  event_type: z.string().min(1),
  event_payload: slackObjectSchema,
});

/** One message as the stand-in keeps it. */
export interface SlackMessage {
  /** The channel's id. */
  readonly channel: string;
  /** As the sender named it: an id or `#name`. */
  readonly channelAsked: string;
  /** Unique and increasing: seconds, a dot, six digits. */
  readonly ts: string;
  /** Set on a reply. */
  readonly threadTs?: string;
  readonly text: string;
  readonly blocks?: readonly SlackObject[];
  readonly attachments?: readonly SlackObject[];
  readonly metadata?: z.infer<typeof slackMetadataSchema>;
}

/** A refusal in Slack's own words: https://docs.slack.dev/reference/methods/chat.postMessage#errors */
export interface SlackRefusal {
  readonly error: string;
  /** What exactly is wrong, one line each, with a JSON pointer. */
  readonly details?: readonly string[];
}
