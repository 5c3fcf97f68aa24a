import { z } from 'zod';

import { listAllMembers, type ListedMember, type MembersListed } from '../list-members.ts';
import { classifyNotionError } from './classify-notion-error.ts';
import { createCallCounter, openNotionClient } from './client.ts';
import type { NotionSettings } from './settings.ts';

/** Notion takes at most 100 a page. */
const MEMBERS_PER_PAGE = 100;

const listSchema = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      type: z.string().optional(),
      name: z.string().nullish(),
      person: z.object({ email: z.string().optional() }).optional().catch(undefined),
    }),
  ),
  next_cursor: z.string().nullish(),
});

/**
 * The people of the workspace (users.list), without guests, whom Notion does not list, and without connections. Addresses
 * need the capability "Read user information including email addresses". Waits as long as Notion says when it limits the
 * rate. `wait` takes milliseconds. Never throws.
 */
export async function listNotionMembers(
  settings: NotionSettings,
  timeoutMs: number,
  wait: (ms: number) => Promise<void>,
): Promise<MembersListed> {
  const client = openNotionClient(settings, timeoutMs, createCallCounter(Date.now));
  return await listAllMembers({
    name: 'Notion',
    classify: classifyNotionError,
    wait,
    fetchPage: async (cursor) => {
      const answer = listSchema.parse(
        await client.users.list({
          page_size: MEMBERS_PER_PAGE,
          ...(cursor === undefined ? {} : { start_cursor: cursor }),
        }),
      );
      return { members: answer.results.flatMap(toMember), next: answer.next_cursor ?? undefined };
    },
  });
}

function toMember({
  id,
  type,
  name,
  person,
}: z.output<typeof listSchema>['results'][number]): readonly ListedMember[] {
  const shown = (name ?? '').trim();
  if (type !== 'person' || shown === '') return [];
  return [{ id, name: shown, ...(person?.email === undefined ? {} : { email: person.email }) }];
}
