import { splitText } from '../../report/clean-text.ts';
import type { RichTextLeaf, RichTextList, RichTextPart, RichTextSection, FlowPart } from './message.ts';
import { headingPart, joinLeaves, textLeaf } from './rich-text.ts';

/** The size of a text, or room for it: characters with the addresses of links, and elements of any kind. */
export interface FlowSize {
  readonly characters: number;
  readonly elements: number;
}

/** A shorter piece of a text is not worth starting: the text moves on as a whole. */
const minPiece = 80;
/** Only a larger list item is divided. The smallest room is larger than this. */
const largeItem: FlowSize = { characters: 1500, elements: 150 };

/**
 * Splits a flow into as much as there is room for and the rest, which repeats the headings it stands under. A text is
 * divided between lines or words, a list between items. With room for a few hundred characters something always fits.
 */
export function splitFlow(
  flow: readonly FlowPart[],
  room: FlowSize,
): { readonly fitting: readonly FlowPart[]; readonly rest: readonly FlowPart[] } {
  let left = room;
  let at = 0;
  const fitting: FlowPart[] = [];
  for (; at < flow.length; at += 1) {
    const next = flow[at];
    const size = next === undefined ? undefined : measurePart(next.part);
    if (next === undefined || size === undefined || !fits(size, left)) break;
    fitting.push(next);
    left = subtract(left, size);
  }
  const rest = flow.slice(at);
  const [first] = rest;
  if (first === undefined) return { fitting, rest };
  const [head, tail] = first.level === undefined ? divide(first.part, left) : [undefined, first.part];
  if (head !== undefined) fitting.push({ part: head });
  if (head !== undefined && tail !== undefined) rest[0] = { ...first, part: tail };
  // A heading moves on with the text under it, unless there are only headings.
  const filled = fitting.findLastIndex(({ level }) => level === undefined) + 1;
  if (filled > 0) rest.unshift(...fitting.splice(filled));
  return { fitting, rest: [...repeatHeadings(fitting, rest[0]), ...rest] };
}

function repeatHeadings(fitting: readonly FlowPart[], next: FlowPart | undefined): readonly FlowPart[] {
  if (next?.level === 1) return [];
  const top = fitting.findLastIndex(({ level }) => level === 1);
  const heading = fitting[top];
  if (heading === undefined) return [];
  const again = headingPart(`${headingText(heading)} (continued)`, 1);
  const owner = fitting.slice(top).findLast(({ level }) => level === 2);
  return owner === undefined || next?.level === 2 ? [again] : [again, owner];
}

/** The text of a heading without ` (continued)`. */
export function headingText({ part }: FlowPart): string {
  if (part.type === 'rich_text_list') return '';
  const text = part.elements.map((leaf) => (leaf.type === 'user' ? '' : leaf.text)).join('');
  return text.replace(/ \(continued\)$/, '');
}

function divide(
  part: RichTextPart,
  left: FlowSize,
): readonly [RichTextPart | undefined, RichTextPart | undefined] {
  if (!isWorthStarting(left)) return [undefined, part];
  switch (part.type) {
    case 'rich_text_list':
      return divideList(part, left);
    case 'rich_text_preformatted': {
      const { text } = part.elements[0] ?? { text: '' };
      const at = findBreak(text, left.characters);
      const [head, tail] = [text.slice(0, at), text.slice(at)];
      const withText = (piece: string): RichTextPart => ({
        ...part,
        elements: [{ type: 'text', text: piece }],
      });
      return [withText(head), tail === '' ? undefined : withText(tail)];
    }
    case 'rich_text_section':
    case 'rich_text_quote': {
      const [head, tail] = divideLeaves(part.elements, left);
      return [
        head.length === 0 ? undefined : { ...part, elements: head },
        tail.length === 0 ? undefined : { ...part, elements: tail },
      ];
    }
    default:
      return part satisfies never;
  }
}

function isWorthStarting(left: FlowSize): boolean {
  return left.characters >= minPiece && left.elements >= 4;
}

function divideList(
  list: RichTextList,
  room: FlowSize,
): readonly [RichTextList | undefined, RichTextList | undefined] {
  let left = room;
  const head: RichTextSection[] = [];
  for (const item of list.elements) {
    const size = measureLeaves(item.elements);
    if (!fits(size, left)) break;
    head.push(item);
    left = subtract(left, size);
  }
  // Slack numbers every list from 1, so the rest has its numbers as text.
  const tail = list.elements.slice(head.length).map((item, at) => {
    const number = textLeaf(`${String(head.length + at + 1)}. `);
    return list.style === 'ordered' ? { ...item, elements: joinLeaves([number, ...item.elements]) } : item;
  });
  const next = list.elements[head.length];
  if (next !== undefined && !fits(measureLeaves(next.elements), largeItem) && isWorthStarting(left)) {
    const [begun, rest] = divideLeaves(next.elements, left);
    if (begun.length > 0) head.push({ ...next, elements: begun });
    if (rest.length > 0) tail[0] = { ...next, elements: rest };
    else tail.shift();
  }
  return [
    head.length === 0 ? undefined : { ...list, elements: head },
    tail.length === 0 ? undefined : { ...list, style: 'bullet', elements: tail },
  ];
}

function divideLeaves(
  leaves: readonly RichTextLeaf[],
  room: FlowSize,
): readonly [RichTextLeaf[], RichTextLeaf[]] {
  let left = subtract(room, { characters: 0, elements: 1 });
  const head: RichTextLeaf[] = [];
  for (const leaf of leaves) {
    const size = measureLeaf(leaf);
    if (!fits(size, left)) break;
    head.push(leaf);
    left = subtract(left, size);
  }
  const tail = leaves.slice(head.length);
  const [next] = tail;
  if (next?.type === 'text' && left.characters > 0 && left.elements > 0) {
    const at = findBreak(next.text, left.characters);
    head.push({ ...next, text: next.text.slice(0, at) });
    const rest = next.text.slice(at).trimStart();
    if (rest === '') tail.shift();
    else tail[0] = { ...next, text: rest };
  }
  return [head, tail];
}

/** Where to break a text of more than `max` characters: after a line, else after a word, else between graphemes. */
function findBreak(text: string, max: number): number {
  const reach = text.slice(0, max);
  if (reach.length === text.length) return max;
  const line = reach.lastIndexOf('\n') + 1;
  if (line > max / 2) return line;
  const word = reach.search(/\s\S*$/) + 1;
  if (word > max / 2) return word;
  return splitText(text.slice(0, max + 64), max)[0]?.length ?? max;
}

export function measurePart(part: RichTextPart): FlowSize {
  if (part.type !== 'rich_text_list') return measureLeaves(part.elements);
  return part.elements
    .map(({ elements }) => measureLeaves(elements))
    .reduce(add, { characters: 0, elements: 0 });
}

function measureLeaves(leaves: readonly RichTextLeaf[]): FlowSize {
  return leaves.map(measureLeaf).reduce(add, { characters: 0, elements: 1 });
}

function measureLeaf(leaf: RichTextLeaf): FlowSize {
  if (leaf.type === 'user') return { characters: leaf.user_id.length, elements: 1 };
  const address = leaf.type === 'link' ? leaf.url.length : 0;
  return { characters: leaf.text.length + address, elements: 1 };
}

function fits(size: FlowSize, left: FlowSize): boolean {
  return size.characters <= left.characters && size.elements <= left.elements;
}

function add(one: FlowSize, other: FlowSize): FlowSize {
  return { characters: one.characters + other.characters, elements: one.elements + other.elements };
}

function subtract(one: FlowSize, other: FlowSize): FlowSize {
  return { characters: one.characters - other.characters, elements: one.elements - other.elements };
}
