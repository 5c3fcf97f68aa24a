import { z } from 'zod';

import type { ListedMember, MembersListed } from '../../engine/listed-member.ts';
import { classifyNotionError } from './classify-notion-error.ts';
import { createCallCounter, openNotionClient } from './client.ts';
import type { NotionSettings } from './settings.ts';

/** Notion takes at most 100 a page. */
const MEMBERS_PER_PAGE = 100;
const MAX_PAGES = 200;

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
  const members: ListedMember[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    try {
      const request = {
        page_size: MEMBERS_PER_PAGE,
        ...(cursor === undefined ? {} : { start_cursor: cursor }),
      };
      const answer = listSchema.parse(await client.users.list(request));
      members.push(...answer.results.flatMap(toMember));
      if (typeof answer.next_cursor !== 'string') return { ok: true, members };
      cursor = answer.next_cursor;
    } catch (error) {
      if (error instanceof z.ZodError) return { ok: false, cause: "Notion's answer cannot be read" };
      const outcome = classifyNotionError(error);
      if (outcome.result === 'rate_limited') await wait(outcome.retryAfterMs);
      else return { ok: false, cause: 'cause' in outcome ? outcome.cause : 'Notion gave no list' };
    }
  }
  return { ok: false, cause: `Notion lists more than ${MAX_PAGES * MEMBERS_PER_PAGE} people` };
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
