import type { SlackMessage } from './slack-message.ts';
import type { SlackWorld } from './slack-world.ts';

export function findSlackMessage(world: SlackWorld, channel: string, ts: string): SlackMessage | undefined {
  return world.log.list().find((message) => message.channel === channel && message.ts === ts);
}

/** The replies under a message, oldest first. */
export function listReplies(world: SlackWorld, parent: SlackMessage): readonly SlackMessage[] {
  return world.log
    .list()
    .filter(
      ({ channel, ts, threadTs }) => channel === parent.channel && threadTs === parent.ts && ts !== parent.ts,
    );
}

/** Whether it stands in a thread under another one. */
export function isReply({ ts, threadTs }: SlackMessage): boolean {
  return threadTs !== undefined && threadTs !== ts;
}
