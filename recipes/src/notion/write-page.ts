import { APIErrorCode, type BlockObjectRequest, type Client, isHTTPResponseError } from '@notionhq/client';
import { z } from 'zod';

import type { SendResult, ShipmentLabel } from '../shipment.ts';
import { classifyNotionError, readCommitted } from './classify-notion-error.ts';
import { fillKeys, fillProperties, type References } from './fill-properties.ts';
import { writeBegunKey } from './find-page.ts';
import type { Column } from './match-properties.ts';
import type { CallPatience } from './notion-calls.ts';
import type { NotionBlock, NotionPage } from './notion-page.ts';
import type { BlockRequest, PagePlan } from './plan-requests.ts';

const madeSchema = z.object({ id: z.string().min(1) });
const appendedSchema = z.object({ results: z.array(madeSchema) });

/** What writing one page needs. */
export interface PageWriting {
  readonly client: Client;
  readonly calls: CallPatience;
  readonly page: NotionPage;
  readonly plan: PagePlan;
  readonly label: ShipmentLabel;
  readonly columns: readonly Column[];
  readonly references: References;
}

/**
 * Makes a page. What fits into one request is there whole or not at all. Of a longer one its key says that it is not whole
 * until all of it is: whatever goes wrong in between is unknown, and the look for it finds the page as begun.
 */
export async function createPage(
  writing: PageWriting,
): Promise<{ readonly sent: SendResult; readonly isInvalid?: boolean }> {
  const { client, calls, page, plan, label, columns, references } = writing;
  const [first, ...rest] = plan;
  const key = rest.length === 0 ? label.effectKey : writeBegunKey(label.effectKey, page, plan);
  let pageId: string;
  try {
    await calls.reserve(countCalls(rest.length));
    const create = (): Promise<unknown> =>
      client.pages.create({
        parent: { type: 'data_source_id', data_source_id: label.target },
        properties: { ...fillProperties(page, columns, references, true), ...fillKeys(key, page.rowKey) },
        ...(first.blocks.length === 0 ? {} : { children: writeBlocks(first.blocks) }),
      });
    const created = madeSchema.safeParse(await calls.run(create, false));
    if (!created.success) {
      return { sent: { result: 'unknown', cause: "Notion's answer names no page", contact: 'answered' } };
    }
    pageId = created.data.id;
  } catch (error) {
    const sent = classifyNotionError(error);
    if (sent.result !== 'sent') return { sent, isInvalid: isInvalidError(error) };
    pageId = sent.reference;
  }
  if (rest.length === 0) return { sent: { result: 'sent', reference: pageId } };
  try {
    await finishPage(writing, pageId, rest, [[]]);
    return { sent: { result: 'sent', reference: pageId } };
  } catch (error) {
    const failure = classifyNotionError(error);
    const why = failure.result === 'sent' ? 'Notion answered late' : failure.cause;
    const contact = isHTTPResponseError(error) && error.status < 500 ? 'answered' : failure.contact;
    return {
      sent: {
        result: 'unknown',
        cause: `the page is begun and not whole: ${why}`,
        ...(contact === undefined ? {} : { contact }),
      },
    };
  }
}

/**
 * Puts the rest into a page, and then says in its key that it is whole. `made` are the blocks that the requests before it
 * have made. Throws what the SDK throws.
 */
export async function finishPage(
  { client, calls, page, label }: PageWriting,
  pageId: string,
  requests: readonly BlockRequest[],
  made: readonly (readonly string[])[] = [],
): Promise<void> {
  const ids = [...made];
  for (const { into, blocks } of requests) {
    const blockId = into === 'page' ? pageId : ids[into.request]?.[into.index];
    if (blockId === undefined) throw new TypeError('a block that was made has no id');
    ids.push(await appendBlocks(client, calls, blockId, blocks));
  }
  const properties = fillKeys(label.effectKey, page.rowKey);
  await calls.run(() => client.pages.update({ page_id: pageId, properties }));
}

async function appendBlocks(
  client: Client,
  calls: CallPatience,
  blockId: string,
  blocks: readonly NotionBlock[],
): Promise<readonly string[]> {
  if (blocks.length === 0) return [];
  try {
    const children = writeBlocks(blocks);
    const answer: unknown = await calls.run(() =>
      client.blocks.children.append({ block_id: blockId, children }),
    );
    return appendedSchema.parse(answer).results.map(({ id }) => id);
  } catch (error) {
    const committed = readCommitted(error);
    // Where it does not name each of them, what is there has to be looked at.
    if (committed.length !== blocks.length) throw error;
    return committed;
  }
}

/** Of a page: the first one, one for each further request, and the one that says that it is whole. */
export function countCalls(requests: number): number {
  return requests === 0 ? 1 : requests + 2;
}

export function isInvalidError(error: unknown): boolean {
  return isHTTPResponseError(error) && error.code === APIErrorCode.ValidationError;
}

/** The SDK's types name each level of nesting, ours are recursive: that they agree, the tests show by the vendor's schema. */
function writeBlocks(blocks: readonly NotionBlock[]): BlockObjectRequest[] {
  return blocks as unknown as BlockObjectRequest[];
}
