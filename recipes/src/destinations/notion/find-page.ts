import { createHash } from 'node:crypto';

import type { Client } from '@notionhq/client';
import { z } from 'zod';

import {
  explainFailedLook,
  type NotSent,
  type ProbeResult,
  type SendLabel,
} from '../../engine/prepared-send.ts';
import { classifyNotionError, classifyNotionPreparation } from './classify-notion-error.ts';
import type { NotionPage } from './page.ts';
import type { PagePlan } from './plan-requests.ts';
import { keyProperty, rowProperty } from './properties.ts';

/** Most pages that are read: copies of a page have its key too. */
const maxCopies = 20;

const pagesSchema = z.object({
  results: z.array(
    z.object({
      id: z.string().min(1),
      properties: z.record(z.string(), z.unknown()).default({}),
    }),
  ),
});

/**
 * Looks for the page of an effect: complete, unfinished, or absent. The oldest page counts, because a copy is newer. Never
 * throws.
 */
export async function findPage(client: Client, { target, effectKey }: SendLabel): Promise<ProbeResult> {
  try {
    const answer = await client.dataSources.query({
      data_source_id: target,
      filter: { property: keyProperty, rich_text: { starts_with: effectKey } },
      sorts: [{ timestamp: 'created_time', direction: 'ascending' }],
      page_size: maxCopies,
    });
    const [page] = pagesSchema
      .parse(answer)
      .results.map(({ id, properties }) => ({ id, key: readText(properties[keyProperty]) }))
      .filter(({ key }) => key === effectKey || key.startsWith(`${effectKey} `));
    if (page === undefined) return { result: 'absent' };
    return { result: page.key === effectKey ? 'found' : 'begun', reference: page.id };
  } catch (error) {
    const failure = classifyNotionError(error);
    const why = failure.result === 'sent' ? 'Notion answered late' : failure.cause;
    return explainFailedLook(failure, `whether the page was made could not be looked up: ${why}`);
  }
}

/** Looks for the oldest row of a task, created by this connection or another. Never throws. */
export async function findRow(
  client: Client,
  dataSourceId: string,
  rowKey: string,
): Promise<{ readonly result: 'ready'; readonly reference?: string } | NotSent> {
  try {
    const answer = await client.dataSources.query({
      data_source_id: dataSourceId,
      filter: { property: rowProperty, rich_text: { equals: rowKey } },
      sorts: [{ timestamp: 'created_time', direction: 'ascending' }],
      page_size: 1,
    });
    const reference = pagesSchema.parse(answer).results[0]?.id;
    return { result: 'ready', ...(reference === undefined ? {} : { reference }) };
  } catch (error) {
    return classifyNotionPreparation(error);
  }
}

/**
 * The key of an unfinished page. It ends with a fingerprint of the complete page, by which a later attempt knows whether the
 * page is the beginning of what it would write. Pure.
 */
export function unfinishedKey(effectKey: string, { title, fields }: NotionPage, plan: PagePlan): string {
  const whole = JSON.stringify([title, fields, plan]);
  const fingerprint = createHash('sha256').update(whole, 'utf8').digest('hex').slice(0, 12);
  return `${effectKey} unfinished ${fingerprint}`;
}

const textSchema = z.object({ rich_text: z.array(z.object({ plain_text: z.string() })) });

/** The text of a property or of a block's content; empty if it has none. */
export function readText(value: unknown): string {
  const texts = textSchema.safeParse(value).data?.rich_text ?? [];
  return texts.map(({ plain_text }) => plain_text).join('');
}
