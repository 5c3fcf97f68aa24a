import { APIErrorCode, type Client, isHTTPResponseError } from '@notionhq/client';
import { z } from 'zod';

import type { UpdateResult } from '../shipment.ts';
import { classifyNotionUpdate } from './classify-notion-error.ts';
import { fillKeys, fillProperties } from './fill-properties.ts';
import { writeBegunKey } from './find-page.ts';
import type { BlockRequest } from './plan-requests.ts';
import { countCalls, finishPage, isInvalidError, type PageWriting } from './write-page.ts';

const binSchema = z.object({ in_trash: z.boolean().default(false), archived: z.boolean().default(false) });

export interface PageUpdate {
  readonly updated: UpdateResult;
  /** Notion finds fault with what was asked for: the properties may not be what they were. */
  readonly isInvalid?: boolean;
}

/**
 * Writes a page anew: our properties with what was in it taken out, then what is in it now, request by request. All of it
 * may be done again, from the first call on, as soon as none can be under way any more. Properties of other people are not
 * named and stay. Until the page is whole its key says so. A row without content of ours keeps what people put into it.
 */
export async function updateNotionPage(writing: PageWriting, pageId: string): Promise<PageUpdate> {
  const { client, calls, page, plan, label, columns, references } = writing;
  const isRow = page.blocks.length === 0;
  const requests = isRow ? [] : plan;
  const key = isRow ? label.effectKey : writeBegunKey(label.effectKey, page, plan);
  try {
    const properties = {
      ...fillProperties(page, columns, references, false),
      ...fillKeys(key, page.rowKey),
    };
    const update = { page_id: pageId, properties, ...(isRow ? {} : { erase_content: true }) };
    await calls.reserve(countCalls(requests.length));
    await calls.run(() => client.pages.update(update), false);
    if (isRow) return { updated: { result: 'sent', reference: pageId } };
  } catch (error) {
    return await classifyRefusal(client, pageId, error);
  }
  return await fillPage(writing, pageId, requests);
}

/**
 * Puts the requests into a page that says of itself that it is not whole. `made` are the blocks of those before them
 * (finishPage). Never throws.
 */
export async function fillPage(
  writing: PageWriting,
  pageId: string,
  requests: readonly BlockRequest[],
  made: readonly (readonly string[])[] = [],
): Promise<PageUpdate> {
  try {
    await finishPage(writing, pageId, requests, made);
    return { updated: { result: 'sent', reference: pageId } };
  } catch (error) {
    const { updated } = await classifyRefusal(writing.client, pageId, error);
    if (updated.result !== 'permanent') return { updated };
    // It is not tried again by itself, so whoever reads of it has to know what the page looks like.
    return {
      updated: { ...updated, cause: `${updated.cause}; the page is not whole until it is sent again` },
    };
  }
}

/**
 * Notion refuses to change a page in the bin with the same words as a page that is wrong, and does not tell whether the
 * page is not there or what it names: a person, another page, a block of it.
 */
async function classifyRefusal(client: Client, pageId: string, error: unknown): Promise<PageUpdate> {
  const isInvalid = isInvalidError(error);
  const isMissing = isHTTPResponseError(error) && error.code === APIErrorCode.ObjectNotFound;
  const place = isInvalid || isMissing ? await findPlace(client, pageId) : undefined;
  if (place === 'bin') return { updated: { result: 'gone', cause: 'the page is in the bin' } };
  if (isMissing && place === 'there') {
    const cause = `Notion answered 404 ${error.code}: somebody or something that the page names is not there`;
    return { updated: { result: 'not_sent_retry', cause, contact: 'answered' } };
  }
  return { updated: classifyNotionUpdate(error), isInvalid };
}

/** Undefined where it can't be found out: then the refusal of the change stands. */
async function findPlace(client: Client, pageId: string): Promise<'there' | 'bin' | undefined> {
  try {
    const { in_trash, archived } = binSchema.parse(await client.pages.retrieve({ page_id: pageId }));
    return in_trash || archived ? 'bin' : 'there';
  } catch {
    return undefined;
  }
}
