import { readNotionId } from './notion-ids.ts';
import type { NotionWorld } from './notion-world.ts';

/** What a mention of a user, a page or a database reads as. */
export function nameTarget(world: NotionWorld, kind: string, sentId: string): string {
  const id = readNotionId(sentId) ?? sentId;
  if (kind === 'user') return `@${world.users.find((user) => user.id === id)?.name ?? 'Unknown'}`;
  const title = kind === 'database' ? world.databases.get(id)?.title : world.pages.get(id)?.title;
  return title === undefined || title === '' ? 'Untitled' : title;
}
