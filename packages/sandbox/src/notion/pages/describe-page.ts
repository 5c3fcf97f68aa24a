import { describeUrl } from '../notion-ids.ts';
import { botReference, botUser, describeUser } from '../notion-users.ts';
import { isInTrash, type NotionWorld } from '../notion-world.ts';
import type { SourceProperty } from '../sources/data-source.ts';
import { titleOnly } from '../sources/title-only.ts';
import type { NotionPage } from './notion-page.ts';

/** As an answer carries it: https://developers.notion.com/reference/page. `only` are the ids or names of the properties to tell; empty: all. */
export function describePage(world: NotionWorld, page: NotionPage, only: readonly string[] = []): object {
  const isGone = isInTrash(world, page.id);
  const properties = listProperties(world, page).filter(
    ({ id, name }) => only.length === 0 || only.includes(id) || only.includes(name),
  );
  return {
    object: 'page',
    id: page.id,
    created_time: page.createdTime,
    last_edited_time: page.lastEditedTime,
    created_by: botReference,
    last_edited_by: botReference,
    cover: page.cover,
    icon: page.icon,
    parent: page.parent,
    archived: isGone,
    in_trash: isGone,
    is_archived: isGone,
    is_locked: page.isLocked,
    properties: Object.fromEntries(
      properties.map((property) => {
        const { id, name, type } = property;
        return [name, { id, type, [type]: readValue(page, property) }];
      }),
    ),
    url: describeUrl(page.id),
    public_url: null,
  };
}

/** The columns of a page: its data source's, or the title alone. */
function listProperties(world: NotionWorld, page: NotionPage): readonly SourceProperty[] {
  return (world.sources.get(page.dataSourceId) ?? titleOnly).properties;
}

/** What a page has in a column, in the shape of answers. */
export function readValue(page: NotionPage, { name, type, config }: SourceProperty): unknown {
  const kind: string = type;
  switch (kind) {
    case 'created_time':
      return page.createdTime;
    case 'last_edited_time':
      return page.lastEditedTime;
    case 'created_by':
    case 'last_edited_by':
      return describeUser(botUser);
    case 'unique_id':
      return { prefix: config['prefix'] ?? null, number: page.number };
    default:
      return page.properties[name]?.value;
  }
}
