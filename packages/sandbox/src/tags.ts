import { type Collection, createCollection } from './collection.ts';
import { foldCase, type Meeting } from './meetings.ts';

/** A tag as the service shows it. */
export interface Tag {
  readonly id: string;
  readonly name: string;
  readonly color: string;
}

/** The tags of one sandbox, in the order they were made. */
export interface TagStore extends Collection<Tag> {
  /** Without case. */
  readonly findByName: (name: string) => Tag | undefined;
  /** The tags of a meeting, in the order they were attached. */
  readonly listOf: (meeting: Meeting) => readonly Tag[];
}

export function createTagStore(): TagStore {
  const tags = createCollection<Tag>({ keyOf: ({ id }) => id });
  return {
    ...tags,
    findByName: (name) => tags.list().find((tag) => foldCase(tag.name) === foldCase(name)),
    listOf: ({ tagIds }) => tagIds.flatMap((tagId) => tags.find(tagId) ?? []),
  };
}
