import { createHash } from 'node:crypto';

import type { SlackRefusal } from './slack-refusal.ts';

export interface SlackChannel {
  readonly id: string;
  /** Without the leading `#`. */
  readonly name: string;
  readonly isPrivate?: boolean;
  readonly isArchived?: boolean;
  /** False: the app was not invited. Default true. */
  readonly isMember?: boolean;
}

const idPattern = /^[CDG][A-Z0-9]+$/;
const userPattern = /^[UW][A-Z0-9]+$/;

/**
 * Finds a channel as `chat.postMessage` does: by id, by name, or by a person's id, which means the direct message with
 * them. Without a list every channel exists.
 */
export function resolveChannel(asked: string, channels?: readonly SlackChannel[]): string | undefined {
  if (userPattern.test(asked)) return directMessageOf(asked);
  const name = asked.replace(/^#/, '');
  if (channels !== undefined && !asked.startsWith('D')) {
    return channels.find((channel) => channel.id === asked || channel.name === name)?.id;
  }
  if (idPattern.test(asked)) return asked;
  return name === '' ? undefined : inventId(name);
}

/** Finds a channel as the other methods do: Slack takes ids alone there. */
export function findChannelById(asked: string, channels?: readonly SlackChannel[]): string | undefined {
  const exists =
    channels === undefined || asked.startsWith('D')
      ? idPattern.test(asked)
      : channels.some(({ id }) => id === asked);
  return exists ? asked : undefined;
}

/** The id of the direct message with a person. */
export function directMessageOf(userId: string): string {
  return `D${userId.slice(1)}`;
}

/** Why an app cannot write there, if so. */
export function refuseWriting(
  id: string,
  channels: readonly SlackChannel[] | undefined,
): SlackRefusal | undefined {
  const channel = channels?.find((known) => known.id === id);
  if (channel?.isArchived === true) return { error: 'is_archived' };
  return refuseStranger(channel);
}

/** Why an app cannot read there, if so. A private channel that it was not invited to does not exist for it. */
export function refuseReading(
  id: string,
  channels: readonly SlackChannel[] | undefined,
): SlackRefusal | undefined {
  return refuseStranger(channels?.find((known) => known.id === id));
}

/** What an app must have been granted there, by the kind of channel: `im:history` of a direct message for `history`. */
export function scopeFor(
  right: 'history' | 'read',
  asked: unknown,
  channels: readonly SlackChannel[] | undefined,
): string {
  const id = typeof asked === 'string' ? asked : '';
  if (id.startsWith('D')) return `im:${right}`;
  const isPrivate = id.startsWith('G') || channels?.find((known) => known.id === id)?.isPrivate === true;
  return `${isPrivate ? 'groups' : 'channels'}:${right}`;
}

function refuseStranger(channel: SlackChannel | undefined): SlackRefusal | undefined {
  if (channel?.isMember !== false) return undefined;
  return { error: channel.isPrivate === true ? 'channel_not_found' : 'not_in_channel' };
}

function inventId(name: string): string {
  return `C${createHash('sha256').update(name).digest('hex').slice(0, 10).toUpperCase()}`;
}
