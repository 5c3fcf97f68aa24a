import { createReceivedLog } from '../stand-ins/received-log.ts';
import { workspacePageId } from './notion-ids.ts';
import { writeNotionText } from './notion-text.ts';
import { botUser, type NotionUser } from './notion-users.ts';
import { noteEdit, tellTime, type NotionWorld } from './notion-world.ts';
import type { NotionPage } from './pages/notion-page.ts';
import { addFirstSources, type DataSourceSetup } from './sources/first-sources.ts';

export interface NotionWorldOptions extends Pick<NotionWorld, 'clock' | 'makeId' | 'readQueryLagMs'> {
  readonly people: readonly NotionUser[];
  readonly sources: readonly DataSourceSetup[];
}

/** A workspace with one page, and the databases in it. */
export function createNotionWorld({ people, sources, ...tools }: NotionWorldOptions): NotionWorld {
  const world: NotionWorld = {
    ...tools,
    log: createReceivedLog<NotionPage>(),
    pages: new Map(),
    blocks: new Map(),
    insides: new Map(),
    sources: new Map(),
    databases: new Map(),
    uploads: new Map(),
    users: [botUser, ...people],
    edits: new Set(),
  };
  fillNotionWorld(world, sources);
  return world;
}

/** As at the start. */
export function resetNotionWorld(world: NotionWorld, sources: readonly DataSourceSetup[]): void {
  const { log, pages, blocks, insides, sources: known, databases, uploads, edits } = world;
  for (const part of [log, pages, blocks, insides, known, databases, uploads, edits]) part.clear();
  fillNotionWorld(world, sources);
}

function fillNotionWorld(world: NotionWorld, sources: readonly DataSourceSetup[]): void {
  const title = 'Sandbox workspace';
  const createdTime = tellTime(world);
  world.pages.set(workspacePageId, {
    id: workspacePageId,
    dataSourceId: '',
    parent: { type: 'workspace', workspace: true },
    createdTime,
    lastEditedTime: createdTime,
    title,
    properties: { title: { type: 'title', value: writeNotionText(title) } },
    children: [],
    isInTrash: false,
    icon: null,
    cover: null,
    isLocked: false,
    number: 0,
    createdMs: world.clock(),
  });
  noteEdit(world, workspacePageId);
  addFirstSources(world, sources);
}
