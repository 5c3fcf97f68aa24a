import type { ReceivedLog } from '../stand-ins/received-log.ts';
import type { NotionBlock } from './blocks/notion-block.ts';
import type { NotionUpload } from './notion-uploads.ts';
import type { NotionUser } from './notion-users.ts';
import type { NotionPage, NotionParent } from './pages/notion-page.ts';
import type { DataSource } from './sources/data-source.ts';
import type { NotionDatabase } from './sources/notion-database.ts';

/** Everything that the local Notion holds. */
export interface NotionWorld {
  /** Every page that was made, in order; listeners are told of each. */
  readonly log: ReceivedLog<NotionPage>;
  readonly pages: Map<string, NotionPage>;
  readonly blocks: Map<string, NotionBlock>;
  /** The ids in a page or a block, in their order: of blocks, pages and databases. */
  readonly insides: Map<string, readonly string[]>;
  readonly sources: Map<string, DataSource>;
  readonly databases: Map<string, NotionDatabase>;
  readonly uploads: Map<string, NotionUpload>;
  readonly users: readonly NotionUser[];
  /** Ids in the order of their last change. */
  readonly edits: Set<string>;
  readonly makeId: () => string;
  /** Unix milliseconds. */
  readonly clock: () => number;
  /** How long after a page is made a query does not find it yet, in milliseconds. */
  readonly readQueryLagMs: () => number;
}

const minuteMs = 60_000;

/** Now, cut to the minute as Notion does. */
export function tellTime({ clock }: NotionWorld): string {
  return new Date(Math.floor(clock() / minuteMs) * minuteMs).toISOString();
}

export function listInsides(world: NotionWorld, id: string): readonly string[] {
  return world.insides.get(id) ?? [];
}

/** Remembers that this was changed last. */
export function noteEdit(world: NotionWorld, id: string): void {
  world.edits.delete(id);
  world.edits.add(id);
}

/** A block or page was changed: the page it is in counts as edited too. */
export function touch(world: NotionWorld, id: string): void {
  noteEdit(world, id);
  const lastEditedTime = tellTime(world);
  const page = world.pages.get(id);
  if (page !== undefined) {
    world.pages.set(id, { ...page, lastEditedTime });
    return;
  }
  const block = world.blocks.get(id);
  if (block === undefined) return;
  world.blocks.set(id, { ...block, lastEditedTime });
  const above = readParentId(block.parent);
  if (above !== undefined) touch(world, above);
}

export function readParentId(parent: NotionParent): string | undefined {
  if (parent.type === 'page_id') return parent.page_id;
  return parent.type === 'block_id' ? parent.block_id : undefined;
}

/** Whether it or anything that it stands in is in the trash. */
export function isInTrash(world: NotionWorld, id: string): boolean {
  const found = world.blocks.get(id) ?? world.pages.get(id) ?? world.sources.get(id);
  if (found === undefined || found.isInTrash) return found !== undefined;
  if (!('parent' in found)) return false;
  const { parent } = found;
  const above = parent.type === 'data_source_id' ? parent.data_source_id : readParentId(parent);
  return above !== undefined && isInTrash(world, above);
}
