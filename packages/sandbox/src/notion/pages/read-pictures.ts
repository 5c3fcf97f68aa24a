import { readParts, type Parts } from '../../web/read-parts.ts';
import { readFile } from '../blocks/read-content.ts';
import { isRefusal, type NotionRefusal } from '../notion-refusal.ts';
import type { NotionWorld } from '../notion-world.ts';

/** The icon and the cover that a request names; null takes one away. */
export function readPictures(
  world: NotionWorld,
  body: Parts,
): { readonly icon?: unknown; readonly cover?: unknown } | NotionRefusal {
  const pictures = new Map<string, unknown>();
  for (const key of ['icon', 'cover']) {
    const sent = body[key];
    if (sent === undefined) continue;
    const picture = sent === null ? null : readFile(world, readParts(sent));
    if (isRefusal(picture)) return picture;
    pictures.set(key, picture);
  }
  return Object.fromEntries(pictures);
}
