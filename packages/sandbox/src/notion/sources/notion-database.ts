import { describeUrl } from '../notion-ids.ts';
import { writeNotionText } from '../notion-text.ts';
import type { NotionParent } from '../pages/notion-page.ts';
import type { DataSource } from './data-source.ts';

/** What data sources stand in. */
export interface NotionDatabase {
  readonly id: string;
  readonly title: string;
  readonly parent: NotionParent;
  readonly createdTime: string;
  readonly lastEditedTime: string;
}

/** As an answer carries it: https://developers.notion.com/reference/database */
export function describeDatabase(database: NotionDatabase, sources: readonly DataSource[]): object {
  return {
    object: 'database',
    id: database.id,
    title: writeNotionText(database.title),
    description: [],
    parent: database.parent,
    is_inline: false,
    in_trash: false,
    archived: false,
    is_locked: false,
    created_time: database.createdTime,
    last_edited_time: database.lastEditedTime,
    data_sources: sources
      .filter(({ databaseId, isInTrash }) => databaseId === database.id && !isInTrash)
      .map(({ id, name }) => ({ id, name })),
    icon: null,
    cover: null,
    url: describeUrl(database.id),
    public_url: null,
  };
}
