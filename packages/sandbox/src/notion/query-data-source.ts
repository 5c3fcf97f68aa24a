import { z } from 'zod';

import type { DataSource } from './data-source.ts';
import { readPropertyText, type NotionPage } from './notion-page.ts';
import { refuseNotionBody, type NotionRefusal } from './notion-refusal.ts';

const textCondition = z.strictObject({ equals: z.string() });

const querySchema = z.strictObject({
  filter: z
    .strictObject({
      property: z.string(),
      rich_text: textCondition.optional(),
      title: textCondition.optional(),
      type: z.string().optional(),
    })
    .refine((filter) => filter.rich_text !== undefined || filter.title !== undefined)
    .optional(),
  sorts: z
    .array(
      z.strictObject({
        timestamp: z.enum(['created_time', 'last_edited_time']),
        direction: z.enum(['ascending', 'descending']),
      }),
    )
    .max(1)
    .optional(),
  page_size: z.number().int().min(1).max(100).default(100),
  start_cursor: z.string().optional(),
  in_trash: z.boolean().optional(),
  result_type: z.string().optional(),
});

export interface QueryPage {
  readonly pages: readonly NotionPage[];
  readonly nextCursor: string | null;
}

/** One page of a query; newest first unless sorted. `all` is in the order of creation. */
export function queryDataSource(
  all: readonly NotionPage[],
  source: DataSource,
  body: unknown,
): QueryPage | NotionRefusal {
  const query = querySchema.safeParse(body ?? {});
  if (!query.success) {
    const place = query.error.issues[0]?.path.join('.') ?? '';
    return refuseNotionBody(
      `body failed validation: body.${place} is not a query that this stand-in plays: filter {property, rich_text|title: {equals}}, sorts by created_time, page_size, start_cursor.`,
    );
  }
  const { filter, sorts, page_size: size, start_cursor: cursor } = query.data;
  if (filter !== undefined && source.properties[filter.property] === undefined) {
    return refuseNotionBody(`Could not find property with name or id: ${filter.property}`);
  }
  const kind = filter?.rich_text === undefined ? 'title' : 'rich_text';
  if (filter !== undefined && source.properties[filter.property] !== kind) {
    return refuseNotionBody(
      `database property ${source.properties[filter.property] ?? ''} does not match filter ${kind}`,
    );
  }
  const wanted = filter?.rich_text?.equals ?? filter?.title?.equals;
  const matching = all.filter(
    (page) =>
      page.dataSourceId === source.id &&
      (filter === undefined || readPropertyText(page.properties[filter.property]) === wanted),
  );
  const ordered = sorts?.[0]?.direction === 'ascending' ? matching : matching.toReversed();
  const start = cursor === undefined ? 0 : ordered.findIndex((page) => page.id === cursor);
  if (start === -1) return refuseNotionBody(`The start_cursor provided is invalid: ${cursor ?? ''}`);
  const pages = ordered.slice(start, start + size);
  return { pages, nextCursor: ordered[start + size]?.id ?? null };
}
