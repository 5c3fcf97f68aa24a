import { z } from 'zod';

import { classifyNotionUpdate } from './classify-notion-error.ts';
import { readText, writeBegunKey } from './find-page.ts';
import { contentOf, type NotionBlock } from './notion-page.ts';
import type { BlockRequest } from './plan-requests.ts';
import { keyProperty } from './read-data-source.ts';
import { fillPage, type PageUpdate, updateNotionPage } from './update-notion-page.ts';
import { countCalls, type PageWriting } from './write-page.ts';

const pageSchema = z.object({ properties: z.record(z.string(), z.unknown()).default({}) });
const blockSchema = z.looseObject({ id: z.string().min(1), type: z.string() });
const listSchema = z.object({ results: z.array(blockSchema), next_cursor: z.string().nullish() });

type FoundBlock = z.output<typeof blockSchema>;

/**
 * Writes a page that an earlier attempt has begun to its end. Each request is there whole or not at all, so what is in
 * the page tells where to go on. Where that is not the beginning of what it is to become (a newer report, another
 * person's block, a request that came twice), all of it is written anew. Never throws.
 */
export async function resumePage(writing: PageWriting, pageId: string): Promise<PageUpdate> {
  let made: readonly (readonly string[])[] | undefined;
  try {
    made = await readMade(writing, pageId);
  } catch (error) {
    const updated = classifyNotionUpdate(error);
    const { result } = updated;
    return { updated: result === 'unknown' ? { ...updated, result: 'not_sent_retry' } : updated };
  }
  if (made === undefined) return await updateNotionPage(writing, pageId);
  return await fillPage(writing, pageId, writing.plan.slice(made.length), made);
}

/** The ids of what each request has made, as far as they are there; undefined when they are not the page's beginning. */
async function readMade(
  { client, calls, page, plan, label }: PageWriting,
  pageId: string,
): Promise<readonly (readonly string[])[] | undefined> {
  await calls.reserve(countCalls(plan.length));
  const begun = pageSchema.parse(await calls.run(() => client.pages.retrieve({ page_id: pageId })));
  if (readText(begun.properties[keyProperty]) !== writeBegunKey(label.effectKey, page, plan))
    return undefined;

  const list = async (blockId: string): Promise<FoundBlock[]> => {
    const found: FoundBlock[] = [];
    for (let cursor: string | undefined; ;) {
      const asked = { block_id: blockId, ...(cursor === undefined ? {} : { start_cursor: cursor }) };
      const answer = listSchema.parse(await calls.run(() => client.blocks.children.list(asked)));
      found.push(...answer.results);
      cursor = answer.next_cursor ?? undefined;
      if (cursor === undefined) return found;
    }
  };
  /** What nothing of the plan has claimed yet, by the block that it is in. */
  const unclaimed = new Map<string, FoundBlock[]>();
  const made: (readonly string[])[] = [];
  for (const { into, blocks } of plan) {
    const blockId = findContainer(into, pageId, made);
    const rest = unclaimed.get(blockId) ?? (await list(blockId));
    unclaimed.set(blockId, rest);
    if (rest.length === 0 && blocks.length > 0) break;
    const claimed = rest.splice(0, blocks.length);
    if (claimed.length < blocks.length || !blocks.every((block, at) => isLike(block, claimed[at])))
      return undefined;
    made.push(claimed.map(({ id }) => id));
  }
  const isClaimed = [...unclaimed.values()].every((rest) => rest.length === 0);
  return isClaimed ? made : undefined;
}

function findContainer(
  into: BlockRequest['into'],
  pageId: string,
  made: readonly (readonly string[])[],
): string {
  const blockId = into === 'page' ? pageId : made[into.request]?.[into.index];
  if (blockId === undefined) throw new TypeError('a block that was made has no id');
  return blockId;
}

function isLike(block: NotionBlock, found: FoundBlock | undefined): boolean {
  const { rich_text: ours = [] } = contentOf(block);
  const text = ours.map((run) => run.text.content).join('');
  return found?.type === block.type && readText(found[found.type] ?? {}) === text;
}
