import { z } from 'zod';

import { foldCase } from '../fold-case.ts';
import { createCollection, type Collection } from '../state/collection.ts';
import type { Journal } from '../state/journal.ts';

const tagSchema = z.object({ id: z.string(), name: z.string(), color: z.string() }).readonly();

/** A tag as the service tells it. */
export type Tag = z.infer<typeof tagSchema>;

/** The tags of one sandbox, in the order they were made. */
export interface TagStore extends Pick<Collection<Tag>, 'find' | 'list' | 'count' | 'put'> {
  /** Without case. */
  readonly findByName: (name: string) => Tag | undefined;
  readonly clear: () => void;
}

export function createTagStore(journal: Journal): TagStore {
  const tags = createCollection({ name: 'tags', schema: tagSchema, keyOf: ({ id }) => id, journal });
  const tagsByName = new Map(tags.list().map((tag) => [foldCase(tag.name), tag]));
  return {
    find: tags.find,
    findByName: (name) => tagsByName.get(foldCase(name)),
    list: tags.list,
    count: tags.count,
    put(tag) {
      tags.put(tag);
      tagsByName.set(foldCase(tag.name), tag);
    },
    clear() {
      tags.clear();
      tagsByName.clear();
    },
  };
}
