import { APIErrorCode, type BlockObjectRequest, type Client, isHTTPResponseError } from '@notionhq/client';
import { z } from 'zod';

import type { SendResult, SendLabel, UpdateResult } from '../../engine/prepared-send.ts';
import { classifyNotionError, classifyNotionUpdate, readCommitted } from './classify-notion-error.ts';
import type { CallRunner } from './client.ts';
import { readText, unfinishedKey } from './find-page.ts';
import { contentOf, type NotionBlock, type NotionPage } from './page.ts';
import type { BlockRequest, PagePlan } from './plan-requests.ts';
import { type Column, fillKeys, fillProperties, keyProperty, type References } from './properties.ts';

/** What writing one page needs. */
export interface PageWrite {
  readonly client: Client;
  readonly calls: CallRunner;
  readonly page: NotionPage;
  readonly plan: PagePlan;
  readonly label: SendLabel;
  readonly columns: readonly Column[];
  readonly references: References;
}

export interface PageWritten<Result> {
  readonly outcome: Result;
  /** Notion rejected the request itself: the properties may have changed. */
  readonly isInvalid?: boolean;
}

const idSchema = z.object({ id: z.string().min(1) });

/**
 * Creates a page. A page of one request exists completely or not at all. The key of a longer page says that it is
 * unfinished until all of it is written; a failure in between is unknown, and the probe finds the page as begun. Never
 * throws.
 */
export async function createPage(write: PageWrite): Promise<PageWritten<SendResult>> {
  const { client, calls, page, plan, label, columns, references } = write;
  const [first, ...rest] = plan;
  const key = rest.length === 0 ? label.effectKey : unfinishedKey(label.effectKey, page, plan);
  let pageId: string;
  try {
    await calls.reserve(countCalls(rest));
    const create = (): Promise<unknown> =>
      client.pages.create({
        parent: { type: 'data_source_id', data_source_id: label.target },
        properties: { ...fillProperties(page, columns, references, true), ...fillKeys(key, page.rowKey) },
        ...(first.blocks.length === 0 ? {} : { children: toApiBlocks(first.blocks) }),
      });
    const created = idSchema.safeParse(await calls.run(create, false));
    if (!created.success) {
      return { outcome: { result: 'unknown', cause: "Notion's answer names no page", contact: 'answered' } };
    }
    pageId = created.data.id;
  } catch (error) {
    const outcome = classifyNotionError(error);
    if (outcome.result !== 'sent') return { outcome, isInvalid: isInvalidError(error) };
    pageId = outcome.reference;
  }
  if (rest.length === 0) return { outcome: { result: 'sent', reference: pageId } };
  try {
    await appendRequests(write, pageId, rest, [[]]);
    return { outcome: { result: 'sent', reference: pageId } };
  } catch (error) {
    const failure = classifyNotionError(error);
    const why = failure.result === 'sent' ? 'Notion answered late' : failure.cause;
    const contact = isHTTPResponseError(error) && error.status < 500 ? 'answered' : failure.contact;
    const cause = `the page is begun and not whole: ${why}`;
    return { outcome: { result: 'unknown', cause, ...(contact === undefined ? {} : { contact }) } };
  }
}

/**
 * Writes a page again: our properties and, after erasing it, the content. All calls may be repeated from the first one.
 * Properties of other people stay. The key says unfinished until the page is complete. The content of a row without
 * blocks of ours stays. Never throws.
 */
export async function updatePage(write: PageWrite, pageId: string): Promise<PageWritten<UpdateResult>> {
  const { client, calls, page, plan, label, columns, references } = write;
  const hasContent = page.blocks.length > 0;
  const requests = hasContent ? plan : [];
  const key = hasContent ? unfinishedKey(label.effectKey, page, plan) : label.effectKey;
  try {
    const properties = {
      ...fillProperties(page, columns, references, false),
      ...fillKeys(key, page.rowKey),
    };
    const update = { page_id: pageId, properties, ...(hasContent ? { erase_content: true } : {}) };
    await calls.reserve(countCalls(requests));
    await calls.run(() => client.pages.update(update), false);
  } catch (error) {
    return await toWritten(client, pageId, error);
  }
  if (!hasContent) return { outcome: { result: 'sent', reference: pageId } };
  return await completePage(write, pageId, requests, []);
}

/**
 * Completes a page that an earlier attempt has begun. Each request is there completely or not at all, so the content tells
 * where to continue. If the page is not the beginning of what it should be (a newer report, a block of another person, a
 * request that arrived twice), all of it is written again. Never throws.
 */
export async function resumePage(write: PageWrite, pageId: string): Promise<PageWritten<UpdateResult>> {
  let created: CreatedIds | undefined;
  try {
    created = await readCreated(write, pageId);
  } catch (error) {
    const outcome = classifyNotionUpdate(error);
    return { outcome: outcome.result === 'unknown' ? { ...outcome, result: 'not_sent_retry' } : outcome };
  }
  if (created === undefined) return await updatePage(write, pageId);
  return await completePage(write, pageId, write.plan.slice(created.length), created);
}

/** The ids of the blocks that each request has created, in order. */
type CreatedIds = readonly (readonly string[])[];

async function completePage(
  write: PageWrite,
  pageId: string,
  requests: readonly BlockRequest[],
  created: CreatedIds,
): Promise<PageWritten<UpdateResult>> {
  try {
    await appendRequests(write, pageId, requests, created);
    return { outcome: { result: 'sent', reference: pageId } };
  } catch (error) {
    const { outcome } = await toWritten(write.client, pageId, error);
    if (outcome.result !== 'permanent') return { outcome };
    // There is no further attempt, so the cause says what the page looks like.
    return {
      outcome: { ...outcome, cause: `${outcome.cause}; the page is not whole until it is sent again` },
    };
  }
}

/** Appends the remaining requests to a page, then sets its final key. Throws what the SDK throws. */
async function appendRequests(
  { client, calls, page, label }: PageWrite,
  pageId: string,
  requests: readonly BlockRequest[],
  created: CreatedIds,
): Promise<void> {
  const ids = [...created];
  for (const { into, blocks } of requests) {
    ids.push(await appendBlocks(client, calls, findContainer(into, pageId, ids), blocks));
  }
  const properties = fillKeys(label.effectKey, page.rowKey);
  await calls.run(() => client.pages.update({ page_id: pageId, properties }));
}

const appendedSchema = z.object({ results: z.array(idSchema) });

async function appendBlocks(
  client: Client,
  calls: CallRunner,
  blockId: string,
  blocks: readonly NotionBlock[],
): Promise<readonly string[]> {
  if (blocks.length === 0) return [];
  const children = toApiBlocks(blocks);
  try {
    const answer: unknown = await calls.run(() =>
      client.blocks.children.append({ block_id: blockId, children }),
    );
    return appendedSchema.parse(answer).results.map(({ id }) => id);
  } catch (error) {
    const committed = readCommitted(error);
    // If it does not name every block, the page has to be read.
    if (committed.length !== blocks.length) throw error;
    return committed;
  }
}

const pageSchema = z.object({ properties: z.record(z.string(), z.unknown()).default({}) });
const blockSchema = z.looseObject({ id: z.string().min(1), type: z.string() });
const blockListSchema = z.object({ results: z.array(blockSchema), next_cursor: z.string().nullish() });

type FoundBlock = z.output<typeof blockSchema>;

/** Which requests of the plan are in the page; undefined if the page is not the beginning of the plan. */
async function readCreated(
  { client, calls, page, plan, label }: PageWrite,
  pageId: string,
): Promise<CreatedIds | undefined> {
  await calls.reserve(countCalls(plan));
  const begun = pageSchema.parse(await calls.run(() => client.pages.retrieve({ page_id: pageId })));
  if (readText(begun.properties[keyProperty]) !== unfinishedKey(label.effectKey, page, plan))
    return undefined;

  const listChildren = async (blockId: string): Promise<FoundBlock[]> => {
    const found: FoundBlock[] = [];
    for (let cursor: string | undefined; ;) {
      const request = { block_id: blockId, ...(cursor === undefined ? {} : { start_cursor: cursor }) };
      const answer = blockListSchema.parse(await calls.run(() => client.blocks.children.list(request)));
      found.push(...answer.results);
      cursor = answer.next_cursor ?? undefined;
      if (cursor === undefined) return found;
    }
  };
  /** Blocks that no request of the plan has been matched with, by the block that they are in. */
  const unmatched = new Map<string, FoundBlock[]>();
  const created: (readonly string[])[] = [];
  for (const { into, blocks } of plan) {
    const blockId = findContainer(into, pageId, created);
    const left = unmatched.get(blockId) ?? (await listChildren(blockId));
    unmatched.set(blockId, left);
    if (left.length === 0 && blocks.length > 0) break;
    const matched = left.splice(0, blocks.length);
    if (matched.length < blocks.length || !blocks.every((block, at) => isSameBlock(block, matched[at])))
      return undefined;
    created.push(matched.map(({ id }) => id));
  }
  const areAllMatched = [...unmatched.values()].every((left) => left.length === 0);
  return areAllMatched ? created : undefined;
}

function findContainer(into: BlockRequest['into'], pageId: string, created: CreatedIds): string {
  const blockId = into === 'page' ? pageId : created[into.request]?.[into.index];
  if (blockId === undefined) throw new TypeError('a block that was made has no id');
  return blockId;
}

function isSameBlock(block: NotionBlock, found: FoundBlock | undefined): boolean {
  const { rich_text: runs = [] } = contentOf(block);
  const text = runs.map((run) => run.text.content).join('');
  return found?.type === block.type && readText(found[found.type] ?? {}) === text;
}

/**
 * Notion rejects an update of a page in the bin with the same message as a wrong page. With "not found" it does not say
 * what is missing: the page, or something that the page names. So the page is looked up.
 */
async function toWritten(client: Client, pageId: string, error: unknown): Promise<PageWritten<UpdateResult>> {
  const isInvalid = isInvalidError(error);
  const isMissing = isHTTPResponseError(error) && error.code === APIErrorCode.ObjectNotFound;
  const state = isInvalid || isMissing ? await readPageState(client, pageId) : undefined;
  if (state === 'in_bin') return { outcome: { result: 'gone', cause: 'the page is in the bin' } };
  if (isMissing && state === 'active') {
    const cause = `Notion answered 404 ${error.code}: a person, page or block that the page names is not there`;
    return { outcome: { result: 'not_sent_retry', cause, contact: 'answered' } };
  }
  return { outcome: classifyNotionUpdate(error), isInvalid };
}

const stateSchema = z.object({ in_trash: z.boolean().default(false), archived: z.boolean().default(false) });

/** Undefined if it cannot be read: then the first error counts. */
async function readPageState(client: Client, pageId: string): Promise<'active' | 'in_bin' | undefined> {
  try {
    const { in_trash, archived } = stateSchema.parse(await client.pages.retrieve({ page_id: pageId }));
    return in_trash || archived ? 'in_bin' : 'active';
  } catch {
    return undefined;
  }
}

function isInvalidError(error: unknown): boolean {
  return isHTTPResponseError(error) && error.code === APIErrorCode.ValidationError;
}

/** The first call, one per further request, and the one that sets the final key. */
function countCalls(requests: readonly BlockRequest[]): number {
  return requests.length === 0 ? 1 : requests.length + 2;
}

/** The SDK's types name each level of nesting, ours are recursive. Tests check them against the vendor's schema. */
function toApiBlocks(blocks: readonly NotionBlock[]): BlockObjectRequest[] {
  return blocks as unknown as BlockObjectRequest[];
}
