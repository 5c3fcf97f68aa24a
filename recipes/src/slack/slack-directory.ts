import type { WebClient } from '@slack/web-api';
import { z } from 'zod';

import type { NotSent } from '../shipment.ts';
import { classifySlackError, readSlackCode } from './classify-slack-error.ts';

/** Who an address belongs to. */
export type Finding =
  | { readonly kind: 'found'; readonly id: string }
  /** Nobody of the workspace. */
  | { readonly kind: 'nobody' }
  | { readonly kind: 'not_known'; readonly why: NotSent };

/** The people of the workspace, and the direct messages with them. */
export interface SlackDirectory {
  /** Guests, apps and people of other workspaces are nobody. */
  findByEmail(email: string): Promise<Finding>;
  /** The id of the direct message with a person. */
  openChat(userId: string): Promise<Finding>;
}

/** People come and go slowly. */
const keepMs = 60 * 60 * 1000;
const mostKept = 1000;

const personSchema = z.object({
  user: z.object({
    id: z.string(),
    deleted: z.boolean().optional(),
    is_bot: z.boolean().optional(),
    /** Somebody of another workspace that shares a channel with this one. */
    is_stranger: z.boolean().optional(),
    /** Guests: of several channels, and of a single one. */
    is_restricted: z.boolean().optional(),
    is_ultra_restricted: z.boolean().optional(),
  }),
});
const chatSchema = z.object({ channel: z.object({ id: z.string() }) });

/** Slack's answers that mean that there is no such person here. */
const nobodyCodes: ReadonlySet<string> = new Set([
  'users_not_found',
  'user_not_found',
  'user_not_visible',
  'user_disabled',
  'cannot_dm_bot',
]);

/** Asks Slack, and remembers what it said for an hour. `clock` is milliseconds since 1970. */
export function createSlackDirectory(client: WebClient, clock: () => number): SlackDirectory {
  const known = new Map<string, { readonly finding: Promise<Finding>; readonly untilMs: number }>();

  /** What may pass is asked again; a scope that is missing stays so for a while. */
  function remember(name: string, ask: () => Promise<Finding>): Promise<Finding> {
    const before = known.get(name);
    if (before !== undefined && before.untilMs > clock()) return before.finding;
    const finding = ask();
    known.delete(name);
    known.set(name, { finding, untilMs: clock() + keepMs });
    const [oldest] = known.keys();
    if (known.size > mostKept && oldest !== undefined) known.delete(oldest);
    void finding.then((found) => {
      if (found.kind === 'not_known' && found.why.result !== 'permanent') known.delete(name);
    });
    return finding;
  }

  return {
    findByEmail: (email) => remember(`email ${email.toLowerCase()}`, () => lookUp(client, email)),
    openChat: (userId) => remember(`chat ${userId}`, () => openChat(client, userId)),
  };
}

/**
 * Only a full member is found: a guest is somebody from outside (docs.slack.dev, users.lookupByEmail and the user object).
 */
async function lookUp(client: WebClient, email: string): Promise<Finding> {
  try {
    const { user } = personSchema.parse(await client.users.lookupByEmail({ email }));
    const { deleted, is_bot, is_stranger, is_restricted, is_ultra_restricted } = user;
    const isOther = [deleted, is_bot, is_stranger, is_restricted, is_ultra_restricted].includes(true);
    return isOther ? { kind: 'nobody' } : { kind: 'found', id: user.id };
  } catch (error) {
    return explain(error);
  }
}

/** https://docs.slack.dev/reference/methods/conversations.open */
async function openChat(client: WebClient, userId: string): Promise<Finding> {
  try {
    const { channel } = chatSchema.parse(await client.conversations.open({ users: userId }));
    return { kind: 'found', id: channel.id };
  } catch (error) {
    return explain(error);
  }
}

/** Asking changes nothing, so what is unclear is asked again. */
function explain(error: unknown): Finding {
  if (nobodyCodes.has(readSlackCode(error) ?? '')) return { kind: 'nobody' };
  const failure = classifySlackError(error);
  if (failure.result !== 'unknown') return { kind: 'not_known', why: failure };
  return { kind: 'not_known', why: { ...failure, result: 'not_sent_retry' } };
}
