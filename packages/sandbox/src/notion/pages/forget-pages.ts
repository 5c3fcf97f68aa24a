import { dropInsides } from '../blocks/insert-blocks.ts';
import { workspacePageId } from '../notion-ids.ts';
import type { NotionWorld } from '../notion-world.ts';

/** How many pages are kept. */
const keptPages = 2000;

/** Forgets the oldest pages with all that is in them, when there are too many. */
export function forgetOldPages(world: NotionWorld): void {
  for (const id of world.pages.keys()) {
    if (world.pages.size <= keptPages) return;
    if (id === workspacePageId) continue;
    dropInsides(world, id);
    world.pages.delete(id);
    world.edits.delete(id);
  }
}
