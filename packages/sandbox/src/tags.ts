import { z } from 'zod';

import { foldCase, type Meeting } from './meetings.ts';
import { createCollection, type Collection, type Store } from './store.ts';

const tagSchema = z.object({ id: z.string(), name: z.string(), color: z.string() }).readonly();

/** A tag as the service shows it. */
export type Tag = z.infer<typeof tagSchema>;

/** The tags of one sandbox, in the order they were made. */
export interface TagStore extends Collection<Tag> {
  /** Without case. */
  readonly findByName: (name: string) => Tag | undefined;
  /** The tags of a meeting, in the order they were attached. */
  readonly listOf: (meeting: Meeting) => readonly Tag[];
}

export function createTagStore(store: Store): TagStore {
  const tags = createCollection({ store, name: 'tags', schema: tagSchema, keyOf: ({ id }) => id });
  return {
    ...tags,
    findByName: (name) => tags.list().find((tag) => foldCase(tag.name) === foldCase(name)),
    listOf: ({ tagIds }) => tagIds.flatMap((tagId) => tags.find(tagId) ?? []),
  };
}
