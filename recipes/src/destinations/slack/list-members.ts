import type { UsersListArguments } from '@slack/web-api';
import { z } from 'zod';

import type { ListedMember, MembersListed } from '../../engine/listed-member.ts';
import { classifySlackError } from './classify-slack-error.ts';
import { openSlackClient } from './connector.ts';
import { isFullMember, memberSchema } from './people.ts';
import type { SlackSettings } from './settings.ts';

/** Slack recommends at most 200 a page (docs.slack.dev, users.list), and takes about 20 calls a minute. */
const MEMBERS_PER_PAGE = 200;
const MAX_PAGES = 100;

const listSchema = z.object({
  members: z.array(
    memberSchema.extend({
      real_name: z.string().optional(),
      profile: z
        .object({ real_name: z.string().optional(), email: z.string().optional() })
        .optional()
        .catch(undefined),
    }),
  ),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

/** Every app has this member. */
const SLACKBOT = 'USLACKBOT';

/**
 * The full members of the workspace (users.list), without guests, apps and people of other workspaces. Addresses need the
 * scope users:read.email. Waits as long as Slack says when it limits the rate. `wait` takes milliseconds. Never throws.
 */
export async function listSlackMembers(
  settings: SlackSettings,
  timeoutMs: number,
  wait: (ms: number) => Promise<void>,
): Promise<MembersListed> {
  const client = openSlackClient(settings, timeoutMs);
  const members: ListedMember[] = [];
  const request: UsersListArguments & { cursor?: string } = { limit: MEMBERS_PER_PAGE };
  for (let page = 0; page < MAX_PAGES; page++) {
    try {
      const answer = listSchema.parse(await client.users.list(request));
      members.push(...answer.members.flatMap(toMember));
      const next = answer.response_metadata?.next_cursor ?? '';
      if (next === '') return { ok: true, members };
      request.cursor = next;
    } catch (error) {
      if (error instanceof z.ZodError) return { ok: false, cause: "Slack's answer cannot be read" };
      const outcome = classifySlackError(error);
      if (outcome.result !== 'rate_limited') return { ok: false, cause: outcome.cause };
      await wait(outcome.retryAfterMs);
    }
  }
  return { ok: false, cause: `Slack lists more than ${MAX_PAGES * MEMBERS_PER_PAGE} members` };
}

function toMember(user: z.output<typeof listSchema>['members'][number]): readonly ListedMember[] {
  const { id, profile, real_name: ownName } = user;
  const name = (profile?.real_name ?? ownName ?? '').trim();
  if (!isFullMember(user) || id === SLACKBOT || name === '') return [];
  return [{ id, name, ...(profile?.email === undefined ? {} : { email: profile.email }) }];
}
