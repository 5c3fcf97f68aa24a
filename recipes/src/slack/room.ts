import type { RichTextLeaf, RichTextPart } from './slack-message.ts';

/** Room in a message: characters to read, addresses of links included, and elements of any kind. */
export interface Room {
  readonly characters: number;
  readonly elements: number;
}

const none: Room = { characters: 0, elements: 0 };

/** Characters and elements of a part. */
export function measure(part: RichTextPart): Room {
  if (part.type !== 'rich_text_list') return measureLeaves(part.elements);
  return part.elements.map(({ elements }) => measureLeaves(elements)).reduce(add, none);
}

/** Those of a line. */
export function measureLeaves(leaves: readonly RichTextLeaf[]): Room {
  return leaves.map(measureLeaf).reduce(add, { characters: 0, elements: 1 });
}

/** Those of one word or link. */
export function measureLeaf(leaf: RichTextLeaf): Room {
  if (leaf.type === 'user') return { characters: leaf.user_id.length, elements: 1 };
  const address = leaf.type === 'link' ? leaf.url.length : 0;
  return { characters: leaf.text.length + address, elements: 1 };
}

/** Whether there is room for it. */
export function fits(size: Room, left: Room): boolean {
  return size.characters <= left.characters && size.elements <= left.elements;
}

function add(one: Room, other: Room): Room {
  return { characters: one.characters + other.characters, elements: one.elements + other.elements };
}

/** What is left of a room. */
export function subtract(one: Room, other: Room): Room {
  return { characters: one.characters - other.characters, elements: one.elements - other.elements };
}
