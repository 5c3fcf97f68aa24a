import { readList, readParts, type Parts } from '../../web/read-parts.ts';
import { insertBlocks } from '../blocks/insert-blocks.ts';
import { planBlocks } from '../blocks/plan-blocks.ts';
import { isRefusal, refuseTrash, refuseUnplayed, type NotionRefusal } from '../notion-refusal.ts';
import {
  isInTrash,
  listInsides,
  noteEdit,
  readParentId,
  tellTime,
  touch,
  type NotionWorld,
} from '../notion-world.ts';
import { forgetOldPages } from './forget-pages.ts';
import type { NotionPage } from './notion-page.ts';
import { readPageParent } from './read-page-parent.ts';
import { readNewProperties, readTitle } from './read-page-properties.ts';
import { readPictures } from './read-pictures.ts';

/** Makes a page from the body of a request whose shape is right: whole, or not at all. */
export function createPage(world: NotionWorld, body: Parts): NotionPage | NotionRefusal {
  const unplayed = findUnplayed(body);
  if (unplayed !== undefined) return refuseUnplayed(`pages.create with ${unplayed}`);
  const place = readPageParent(world, body);
  if (isRefusal(place)) return place;
  const outerId = readParentId(place.parent) ?? place.source?.id ?? '';
  if (isInTrash(world, outerId)) return refuseTrash();
  const reading = readNewProperties(world, readParts(body['properties']), place.source);
  if (isRefusal(reading)) return reading;
  const blocks = planBlocks(world, body['children'], { type: 'child_page', content: {} });
  if (isRefusal(blocks)) return blocks;
  const pictures = readPictures(world, body);
  if (isRefusal(pictures)) return pictures;
  const { properties, source } = reading;
  const createdTime = tellTime(world);
  const page: NotionPage = {
    id: world.makeId(),
    dataSourceId: source?.id ?? '',
    parent: place.parent,
    createdTime,
    lastEditedTime: createdTime,
    title: readTitle(properties),
    properties,
    children: readList(body['children']),
    isInTrash: false,
    icon: null,
    cover: null,
    isLocked: false,
    number: countPages(world, source?.id) + 1,
    createdMs: world.clock(),
    ...pictures,
  };
  if (source !== undefined) world.sources.set(source.id, source);
  keepPage(world, page, outerId);
  insertBlocks(world, page.id, blocks, 0);
  world.log.add(page);
  return page;
}

function findUnplayed(body: Parts): string | undefined {
  const { type = 'none' } = readParts(body['template']);
  if (type !== 'none') return 'a template';
  return ['markdown', 'content', 'allow_async', 'position'].find((key) => body[key] !== undefined);
}

function keepPage(world: NotionWorld, page: NotionPage, outerId: string): void {
  world.pages.set(page.id, page);
  noteEdit(world, page.id);
  if (page.parent.type === 'page_id') {
    world.insides.set(outerId, [...listInsides(world, outerId), page.id]);
    touch(world, outerId);
  }
  forgetOldPages(world);
}

/** Those that are gone count on: `unique_id` never comes twice. */
function countPages(world: NotionWorld, sourceId: string | undefined): number {
  let last = 0;
  for (const page of world.pages.values()) if (page.dataSourceId === sourceId) last = page.number;
  return last;
}
