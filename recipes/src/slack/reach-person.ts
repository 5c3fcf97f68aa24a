import type { NobodyToReach, NotSent } from '../shipment.ts';
import type { Finding, SlackDirectory } from './slack-directory.ts';
import type { SlackMessage } from './slack-message.ts';

/**
 * Where a message goes: the direct message with whom it is for, or the channel that stands in for them. Only somebody of
 * the workspace is written to; a message for nobody in particular goes to its target.
 */
export async function reachPerson(
  { person }: SlackMessage,
  target: string,
  directory: SlackDirectory,
): Promise<{ readonly channel: string } | NobodyToReach | NotSent> {
  if (person === undefined) return { channel: target };
  const { userId, email, otherwise } = person;
  const found: Finding =
    userId !== undefined
      ? { kind: 'found', id: userId }
      : email === undefined
        ? { kind: 'nobody' }
        : await directory.findByEmail(email);
  const chat = found.kind === 'found' ? await directory.openChat(found.id) : found;
  if (chat.kind === 'found') return { channel: chat.id };
  if (chat.kind === 'not_known' && chat.why.result !== 'permanent') return chat.why;
  if (otherwise !== undefined) return { channel: otherwise.channel };
  if (chat.kind === 'not_known') return chat.why;
  const cause =
    'the owner is no member of the workspace, or a guest: name them under people, or set a fallback channel';
  return { result: 'nobody', cause };
}

/** What a message says where it is: the channel that stands in for somebody is told whom it is about. */
export function wordFor(message: SlackMessage, channel: string | undefined): SlackMessage {
  const otherwise = message.person?.otherwise;
  return otherwise !== undefined && otherwise.channel === channel ? otherwise.message : message;
}

/** Where an earlier attempt may have put it: whom Slack finds now, it may not have found then. */
export function listPlaces({ person }: SlackMessage, channel: string): readonly string[] {
  return [...new Set([channel, person?.otherwise?.channel ?? channel])];
}
