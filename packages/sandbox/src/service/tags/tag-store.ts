/** A tag as the service tells it. */
export interface Tag {
  readonly id: string;
  readonly name: string;
  readonly color: string;
}

/** The tags of one sandbox, in memory, in the order they were made. */
export interface TagStore {
  readonly find: (tagId: string) => Tag | undefined;
  /** Without case. */
  readonly findByName: (name: string) => Tag | undefined;
  readonly list: () => readonly Tag[];
  readonly count: () => number;
  readonly add: (tag: Tag) => void;
  readonly clear: () => void;
}

export function createTagStore(): TagStore {
  const tags = new Map<string, Tag>();
  const tagsByName = new Map<string, Tag>();
  return {
    find: (tagId) => tags.get(tagId),
    findByName: (name) => tagsByName.get(foldCase(name)),
    list: () => [...tags.values()],
    count: () => tags.size,
    add(tag) {
      tags.set(tag.id, tag);
      tagsByName.set(foldCase(tag.name), tag);
    },
    clear() {
      tags.clear();
      tagsByName.clear();
    },
  };
}

/** Upper case first: then `ß` and `SS` are the same name. */
function foldCase(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase();
}
