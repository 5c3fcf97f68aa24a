import { createHash } from 'node:crypto';

import type { Client } from '@notionhq/client';
import { z } from 'zod';

import { explainFailedLook } from '../explain-failed-look.ts';
import type { NotSent, ProbeResult, ShipmentLabel } from '../shipment.ts';
import { classifyNotionError, classifyNotionPreparation } from './classify-notion-error.ts';
import type { NotionPage } from './notion-page.ts';
import type { PagePlan } from './plan-requests.ts';
import { keyProperty, rowProperty } from './read-data-source.ts';

/** Copies of a page carry its key too; more of them than this nobody makes. */
const mostCopies = 20;

const foundSchema = z.object({
  results: z.array(
    z.object({
      id: z.string().min(1),
      properties: z.record(z.string(), z.unknown()).default({}),
    }),
  ),
});
const textSchema = z.object({ rich_text: z.array(z.object({ plain_text: z.string() })) });

/**
 * The key of a page that is not whole yet: with a fingerprint of what it is to become, by which a later attempt knows whether
 * what is there is the beginning of that. Pure.
 */
export function writeBegunKey(effectKey: string, { title, fields }: NotionPage, plan: PagePlan): string {
  const whole = JSON.stringify([title, fields, plan]);
  const fingerprint = createHash('sha256').update(whole, 'utf8').digest('hex').slice(0, 12);
  return `${effectKey} unfinished ${fingerprint}`;
}

/**
 * Looks for the page of an effect: whole, begun, or not there. The oldest counts, whole or not: a copy that somebody made
 * comes later.
 */
export async function findPage(client: Client, { target, effectKey }: ShipmentLabel): Promise<ProbeResult> {
  try {
    const answer = await client.dataSources.query({
      data_source_id: target,
      filter: { property: keyProperty, rich_text: { starts_with: effectKey } },
      sorts: [{ timestamp: 'created_time', direction: 'ascending' }],
      page_size: mostCopies,
    });
    const [page] = foundSchema
      .parse(answer)
      .results.map(({ id, properties }) => ({ id, key: readText(properties[keyProperty]) }))
      .filter(({ key }) => key === effectKey || key.startsWith(`${effectKey} `));
    if (page === undefined) return { result: 'absent' };
    return { result: page.key === effectKey ? 'found' : 'begun', reference: page.id };
  } catch (error) {
    const failure = classifyNotionError(error);
    const why = failure.result === 'sent' ? 'Notion answered late' : failure.cause;
    const cause = `whether the page was made could not be looked up: ${why}`;
    return explainFailedLook(failure, cause);
  }
}

/** Looks for the row of a task, whoever made it: the oldest. */
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
    const reference = foundSchema.parse(answer).results[0]?.id;
    return { result: 'ready', ...(reference === undefined ? {} : { reference }) };
  } catch (error) {
    return classifyNotionPreparation(error);
  }
}

/** The text of a property; nothing where it is of another type. Pure. */
export function readText(property: unknown): string {
  const texts = textSchema.safeParse(property).data?.rich_text ?? [];
  return texts.map(({ plain_text }) => plain_text).join('');
}
