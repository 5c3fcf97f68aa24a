import type { CreatePageParameters } from '@notionhq/client';

import { type NotionPage, notionLimits, type NotionText } from './notion-page.ts';
import { type DataSourceShape, keyProperty } from './read-data-source.ts';

type PageProperties = NonNullable<CreatePageParameters['properties']>;

/** The properties that a page fills in where the data source has them. */
export function fillProperties(page: NotionPage, shape: DataSourceShape): PageProperties {
  return {
    [shape.titleProperty]: { title: [textOf(page.title)] },
    ...(shape.dateProperty !== undefined && page.startedAt !== undefined
      ? { [shape.dateProperty]: { date: { start: new Date(page.startedAt).toISOString() } } }
      : {}),
    ...(shape.meetingIdProperty === undefined
      ? {}
      : { [shape.meetingIdProperty]: { rich_text: [textOf(page.meetingId)] } }),
  };
}

/** The property by which an unsettled page is found again. */
export function fillKey(effectKey: string): PageProperties {
  return { [keyProperty]: { rich_text: [textOf(effectKey)] } };
}

function textOf(content: string): NotionText {
  return { type: 'text', text: { content: content.slice(0, notionLimits.text) } };
}
