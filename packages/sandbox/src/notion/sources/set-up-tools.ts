import type { NotionWorld } from '../notion-world.ts';
import type { SetUpTools } from './set-up-property.ts';

export function makeSetUpTools({ makeId, sources }: Pick<NotionWorld, 'makeId' | 'sources'>): SetUpTools {
  return { makeId, findDatabaseId: (id) => sources.get(id)?.databaseId };
}
