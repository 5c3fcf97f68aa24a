import { readParts, type Parts } from '../../web/read-parts.ts';
import { dropInsides } from '../blocks/insert-blocks.ts';
import { isRefusal, refuseTrash, refuseUnplayed, type NotionRefusal } from '../notion-refusal.ts';
import { isInTrash, touch, type NotionWorld } from '../notion-world.ts';
import { titleOnly } from '../sources/title-only.ts';
import type { NotionPage } from './notion-page.ts';
import { readPageProperties, readTitle } from './read-page-properties.ts';
import { readPictures } from './read-pictures.ts';

/** Changes a page by the body of a request whose shape is right: all of it, or nothing. */
export function updatePage(world: NotionWorld, page: NotionPage, body: Parts): NotionPage | NotionRefusal {
  const unplayed = ['template', 'is_archived'].find((key) => body[key] !== undefined);
  if (unplayed !== undefined) return refuseUnplayed(`pages.update with ${unplayed}`);
  const wanted = body['in_trash'] ?? body['archived'];
  if (isInTrash(world, page.id) && wanted !== false) return refuseTrash();
  const source = world.sources.get(page.dataSourceId);
  const given = readParts(body['properties']);
  const reading = readPageProperties(world, given, source ?? titleOnly, page.properties);
  if (isRefusal(reading)) return reading;
  const pictures = readPictures(world, body);
  if (isRefusal(pictures)) return pictures;
  const { properties } = reading;
  if (source !== undefined) world.sources.set(source.id, reading.source);
  if (body['erase_content'] === true) dropInsides(world, page.id);
  world.pages.set(page.id, {
    ...page,
    ...pictures,
    properties,
    title: readTitle(properties),
    isInTrash: typeof wanted === 'boolean' ? wanted : page.isInTrash,
    isLocked: typeof body['is_locked'] === 'boolean' ? body['is_locked'] : page.isLocked,
  });
  touch(world, page.id);
  return world.pages.get(page.id) ?? page;
}
