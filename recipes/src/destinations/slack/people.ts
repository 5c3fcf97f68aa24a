import type { WebClient } from '@slack/web-api';
import { z } from 'zod';

import type { NoTarget, NotSent } from '../../engine/prepared-send.ts';
import { classifySlackError, readSlackCode, toNotSent } from './classify-slack-error.ts';
import type { SlackBlock, SlackMention, SlackMessage, SlackPerson, SlackShare } from './message.ts';
import { composeShared } from './shared-message.ts';

/** The members of the workspace, and the direct messages with them. */
export interface SlackDirectory {
  /** Finds full members only: guests, apps and people of other workspaces are absent. */
  findByEmail(email: string): Promise<Lookup>;
  /** The id of the direct message with a member. */
  openChat(userId: string): Promise<Lookup>;
}

type Lookup =
  | { readonly kind: 'found'; readonly id: string }
  | { readonly kind: 'absent' }
  | {
      readonly kind: 'failed';
      readonly failure: NotSent;
      /** Slack works for the app otherwise. */
      readonly isOfPerson: boolean;
    };

const cacheMs = 60 * 60 * 1000;
const maxCached = 1000;
/** Slack allows about 50 lookups in a minute; further owners stay names. */
const maxMentions = 20;

/** Looks people up in Slack and caches the answers for an hour. `clock` is milliseconds since 1970. */
export function createSlackDirectory(client: WebClient, clock: () => number): SlackDirectory {
  const cache = new Map<string, { readonly lookup: Promise<Lookup>; readonly untilMs: number }>();

  /** A failure that may pass is not cached; a missing scope is. */
  function cached(name: string, look: () => Promise<Lookup>): Promise<Lookup> {
    const known = cache.get(name);
    if (known !== undefined && known.untilMs > clock()) return known.lookup;
    const lookup = look();
    cache.delete(name);
    cache.set(name, { lookup, untilMs: clock() + cacheMs });
    const [oldest] = cache.keys();
    if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
    void lookup.then((found) => {
      if (found.kind === 'failed' && found.failure.result !== 'permanent') cache.delete(name);
    });
    return lookup;
  }

  return {
    findByEmail: (email) => cached(`email ${email.toLowerCase()}`, () => findMember(client, email)),
    openChat: (userId) => cached(`chat ${userId}`, () => openChat(client, userId)),
  };
}

/**
 * Where a message goes: the direct message with its person. A message without a person goes to its target. A person who
 * cannot be written to is no failure when a shared message has their part.
 */
export async function findChannel(
  { person }: SlackMessage,
  target: string,
  directory: SlackDirectory,
): Promise<{ readonly channel: string } | NoTarget | NotSent> {
  if (person === undefined) return { channel: target };
  const chat = await findChat(person, directory);
  if (chat.kind === 'found') return { channel: chat.id };
  if (person.hasFallback === true) {
    if (isFailure(chat)) return chat.failure;
    const cause =
      'the owner is no member of the workspace, or a guest: the fallback channel gets their tasks';
    return { result: 'no_recipient', cause };
  }
  if (chat.kind === 'failed') return chat.failure;
  const cause =
    'the owner is no member of the workspace, or a guest: name them under people, or set a fallback channel';
  return { result: 'no_recipient', cause };
}

/**
 * The message without the shares of people who can be written to: their direct messages hold them. It asks what
 * `findChannel` asks, and the answers are cached, so that both agree. One person after the other: Slack limits the rate.
 */
export async function leaveOutReached(
  message: SlackMessage,
  directory: SlackDirectory,
): Promise<{ readonly message: SlackMessage } | NoTarget | NotSent> {
  if (message.shared === undefined) return { message };
  const shares: SlackShare[] = [];
  for (const share of message.shared.shares) {
    const chat: Lookup =
      share.person === undefined ? { kind: 'absent' } : await findChat(share.person, directory);
    if (isFailure(chat)) return chat.failure;
    if (chat.kind !== 'found') shares.push(share);
  }
  if (shares.length === 0) return { result: 'no_recipient', cause: 'each owner gets their tasks directly' };
  return { message: composeShared({ ...message.shared, shares }) };
}

async function findChat({ userId, email }: SlackPerson, directory: SlackDirectory): Promise<Lookup> {
  if (userId !== undefined) return await directory.openChat(userId);
  if (email === undefined) return { kind: 'absent' };
  const member = await directory.findByEmail(email);
  return member.kind === 'found' ? await directory.openChat(member.id) : member;
}

/** Whether Slack can't be asked at all; otherwise it only refuses this person, or the app may not look people up. */
function isFailure(lookup: Lookup): lookup is Extract<Lookup, { kind: 'failed' }> {
  return lookup.kind === 'failed' && !lookup.isOfPerson;
}

/**
 * The blocks with a mention in place of each name whose address belongs to a member. Other names, and all names if Slack
 * cannot be asked, stay text: a message is worth more than a mention.
 */
export async function fillMentions(
  { blocks, mentions = [] }: SlackMessage,
  directory: SlackDirectory,
): Promise<readonly SlackBlock[]> {
  const lookups = await Promise.all(
    mentions.slice(0, maxMentions).map(async (mention) => ({
      ...mention,
      lookup: await findMentioned(mention, directory),
    })),
  );
  return blocks.map((block, at) => {
    if (block.type !== 'rich_text') return block;
    const elements = block.elements.map((part, element) => {
      const hit = lookups.find((mention) => mention.block === at && mention.element === element);
      if (hit?.lookup.kind !== 'found' || part.type !== 'rich_text_section') return part;
      return { ...part, elements: [{ type: 'user', user_id: hit.lookup.id } as const] };
    });
    return { ...block, elements };
  });
}

async function findMentioned({ userId, email }: SlackMention, directory: SlackDirectory): Promise<Lookup> {
  if (userId !== undefined) return { kind: 'found', id: userId };
  return email === undefined ? { kind: 'absent' } : await directory.findByEmail(email);
}

/** docs.slack.dev, the user object. */
export const memberSchema = z.object({
  id: z.string(),
  deleted: z.boolean().optional(),
  is_bot: z.boolean().optional(),
  /** Of another workspace that shares a channel with this one. */
  is_stranger: z.boolean().optional(),
  /** Guest of several channels. */
  is_restricted: z.boolean().optional(),
  /** Guest of a single channel. */
  is_ultra_restricted: z.boolean().optional(),
});
const chatSchema = z.object({ channel: z.object({ id: z.string() }) });

/** The id of a full member; undefined: a guest, an app, or of another workspace. */
export function readMember(answer: unknown): string | undefined {
  const { user } = z.object({ user: memberSchema }).parse(answer);
  return isFullMember(user) ? user.id : undefined;
}

/** No guest, no app, and not of another workspace. */
export function isFullMember(user: z.output<typeof memberSchema>): boolean {
  const { deleted, is_bot, is_stranger, is_restricted, is_ultra_restricted } = user;
  return ![deleted, is_bot, is_stranger, is_restricted, is_ultra_restricted].includes(true);
}

/** docs.slack.dev, users.lookupByEmail and the user object. */
async function findMember(client: WebClient, email: string): Promise<Lookup> {
  try {
    const id = readMember(await client.users.lookupByEmail({ email }));
    return id === undefined ? { kind: 'absent' } : { kind: 'found', id };
  } catch (error) {
    return toLookup(error);
  }
}

/** docs.slack.dev, conversations.open. */
async function openChat(client: WebClient, userId: string): Promise<Lookup> {
  try {
    const { channel } = chatSchema.parse(await client.conversations.open({ users: userId }));
    return { kind: 'found', id: channel.id };
  } catch (error) {
    return toLookup(error);
  }
}

const absentCodes: ReadonlySet<string> = new Set([
  'users_not_found',
  'user_not_found',
  'user_not_visible',
  'user_disabled',
  'cannot_dm_bot',
]);

function toLookup(error: unknown): Lookup {
  const code = readSlackCode(error);
  if (absentCodes.has(code ?? '')) return { kind: 'absent' };
  const failure = toNotSent(classifySlackError(error));
  const isOfPerson = failure.result === 'permanent' && code !== undefined;
  return { kind: 'failed', failure, isOfPerson };
}
