import { APIErrorCode, type Client, isHTTPResponseError } from '@notionhq/client';
import { z } from 'zod';

import type { UpdateResult } from '../shipment.ts';
import { classifyNotionUpdate, isCommitted } from './classify-notion-error.ts';
import { fillProperties } from './fill-properties.ts';
import type { NotionPage } from './notion-page.ts';
import type { DataSourceShape } from './read-data-source.ts';

const binSchema = z.object({ in_trash: z.boolean().default(false), archived: z.boolean().default(false) });

export interface PageUpdate {
  readonly updated: UpdateResult;
  /** Notion finds fault with what was asked for: the properties may not be what they were. */
  readonly isInvalid?: boolean;
}

/**
 * Writes a page anew: our properties with what was in it taken out, then what is in it now. Both calls may be made
 * again, from the first one on, as soon as none can be under way any more. Properties of other people are not named
 * and stay; so does the key, for it tells of the effect that made the page, and a page without its content must not
 * be found as the work of this one.
 */
export async function updateNotionPage(
  client: Client,
  pageId: string,
  page: NotionPage,
  shape: DataSourceShape,
): Promise<PageUpdate> {
  try {
    await client.pages.update({
      page_id: pageId,
      properties: fillProperties(page, shape),
      erase_content: true,
    });
  } catch (error) {
    return await classifyRefusal(client, pageId, error);
  }
  try {
    if (page.blocks.length > 0) {
      await client.blocks.children.append({ block_id: pageId, children: [...page.blocks] });
    }
  } catch (error) {
    if (isCommitted(error)) return { updated: { result: 'sent', reference: pageId } };
    const { updated } = await classifyRefusal(client, pageId, error);
    if (updated.result !== 'permanent') return { updated };
    // It is not tried again by itself, so whoever reads of it has to know what the page looks like.
    return {
      updated: { ...updated, cause: `${updated.cause}; the page stands empty until it is sent again` },
    };
  }
  return { updated: { result: 'sent', reference: pageId } };
}

async function classifyRefusal(client: Client, pageId: string, error: unknown): Promise<PageUpdate> {
  const isInvalid = isHTTPResponseError(error) && error.code === APIErrorCode.ValidationError;
  if (isInvalid && (await isInBin(client, pageId))) {
    return { updated: { result: 'gone', cause: 'the page is in the bin' } };
  }
  return { updated: classifyNotionUpdate(error), isInvalid };
}

/** Notion refuses to change such a page with the same words as a page that is wrong. */
async function isInBin(client: Client, pageId: string): Promise<boolean> {
  try {
    const { in_trash, archived } = binSchema.parse(await client.pages.retrieve({ page_id: pageId }));
    return in_trash || archived;
  } catch {
    // The refusal of the change stands.
    return false;
  }
}
