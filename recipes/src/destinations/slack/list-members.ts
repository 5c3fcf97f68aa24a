import { z } from 'zod';

import { listAllMembers, type ListedMember, type MembersListed } from '../list-members.ts';
import { classifySlackError } from './classify-slack-error.ts';
import { openSlackClient } from './connector.ts';
import { isFullMember, memberSchema } from './people.ts';
import type { SlackSettings } from './settings.ts';

/** Slack recommends at most 200 a page (docs.slack.dev, users.list), and takes about 20 calls a minute. */
const MEMBERS_PER_PAGE = 200;

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
  return await listAllMembers({
    name: 'Slack',
    classify: classifySlackError,
    wait,
    fetchPage: async (cursor = '') => {
      const answer = listSchema.parse(
        await client.users.list({ limit: MEMBERS_PER_PAGE, ...(cursor === '' ? {} : { cursor }) }),
      );
      // Slack ends with an empty cursor.
      const next = answer.response_metadata?.next_cursor || undefined;
      return { members: answer.members.flatMap(toMember), next };
    },
  });
}

function toMember(user: z.output<typeof listSchema>['members'][number]): readonly ListedMember[] {
  const { id, profile, real_name: ownName } = user;
  const name = (profile?.real_name ?? ownName ?? '').trim();
  if (!isFullMember(user) || id === SLACKBOT || name === '') return [];
  return [{ id, name, ...(profile?.email === undefined ? {} : { email: profile.email }) }];
}
