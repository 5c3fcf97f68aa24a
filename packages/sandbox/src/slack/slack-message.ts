import { z } from 'zod';

import type { SlackFile } from './slack-files.ts';

/** A Block Kit element as it came: read only where a rule or the page needs it. */
export const slackObjectSchema = z.record(z.string(), z.unknown());
export type SlackObject = z.infer<typeof slackObjectSchema>;

/** What an app attached to its message for other apps. */
export interface SlackMetadata {
  readonly event_type: string;
  readonly event_payload: SlackObject;
}

/** One message as the stand-in keeps it. */
export interface SlackMessage {
  /** The channel's id. */
  readonly channel: string;
  /** As the sender named it: an id or `#name`. */
  readonly channelAsked: string;
  /** Unique and increasing: seconds, a dot, six digits. */
  readonly ts: string;
  /** Set on a reply: the message that it answers. */
  readonly threadTs?: string;
  /** A reply that is shown in the channel too. */
  readonly isBroadcast?: boolean;
  /** The app that posted it. */
  readonly botId: string;
  readonly text: string;
  readonly blocks?: readonly SlackObject[];
  readonly attachments?: readonly SlackObject[];
  readonly metadata?: SlackMetadata;
  readonly files?: readonly SlackFile[];
  /** When it was last updated: a `ts` of its own. */
  readonly editedTs?: string;
  /** What the sender asked for beyond the content, as it came: `unfurl_links`, `username`, `icon_emoji`, ... */
  readonly wishes?: SlackObject;
}
