import { z } from 'zod';

import type { SendResult } from '../engine/prepared-send.ts';

/** A person of a workspace, as its list of members shows them. */
export interface ListedMember {
  readonly id: string;
  readonly name: string;
  readonly email?: string;
}

/** The members of a workspace, or why they cannot be listed. */
export type MembersListed =
  | { readonly ok: true; readonly members: readonly ListedMember[] }
  | { readonly ok: false; readonly cause: string };

interface MemberPages {
  /** Slack or Notion. */
  readonly name: string;
  /** A page, and where the next one begins, if there is one. Throws what the SDK throws, or a ZodError. */
  readonly fetchPage: (cursor: string | undefined) => Promise<{
    readonly members: readonly ListedMember[];
    readonly next: string | undefined;
  }>;
  readonly classify: (error: unknown) => SendResult;
  /** Takes milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
}

/** A call that is refused for its rate counts too, so that this comes to an end. */
const MAX_CALLS = 200;

/** Lists all pages of members. Waits as long as it is told when the rate is limited. Never throws. */
export async function listAllMembers({
  name,
  fetchPage,
  classify,
  wait,
}: MemberPages): Promise<MembersListed> {
  const members: ListedMember[] = [];
  let cursor: string | undefined;
  for (let call = 0; call < MAX_CALLS; call++) {
    try {
      const page = await fetchPage(cursor);
      members.push(...page.members);
      if (page.next === undefined) return { ok: true, members };
      cursor = page.next;
    } catch (error) {
      if (error instanceof z.ZodError) return { ok: false, cause: `${name}'s answer cannot be read` };
      const outcome = classify(error);
      if (outcome.result === 'rate_limited') await wait(outcome.retryAfterMs);
      else return { ok: false, cause: 'cause' in outcome ? outcome.cause : `${name} gave no list` };
    }
  }
  return { ok: false, cause: `${name} lists its members on more than ${MAX_CALLS} pages` };
}
