import { createCollection } from './collection.ts';
import { foldCase, type Meeting } from './meetings.ts';

/** A tag as the service shows it. */
export interface Tag {
  readonly id: string;
  readonly name: string;
  readonly color: string;
}

/** The tags of one sandbox, in the order they were made. */
export type TagStore = ReturnType<typeof createTagStore>;

export function createTagStore() {
  const tags = createCollection<Tag>({ keyOf: ({ id }) => id });
  return {
    ...tags,
    /** Without case. */
    findByName: (name: string) => tags.list().find((tag) => foldCase(tag.name) === foldCase(name)),
    /** The tags of a meeting, in the order they were attached. */
    listOf: ({ tagIds }: Meeting): readonly Tag[] => tagIds.flatMap((tagId) => tags.find(tagId) ?? []),
  };
}
