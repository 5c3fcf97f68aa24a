import { splitText } from '../text/cut-text.ts';
import { joinLeaves, textLeaf } from './rich-text-leaves.ts';
import { type FlowPart, headingPart } from './rich-text.ts';
import { fits, measure, measureLeaf, measureLeaves, type Room, subtract } from './room.ts';
import type { RichTextLeaf, RichTextList, RichTextPart, RichTextSection } from './slack-message.ts';

/** Less than this of a text tells nobody anything: it goes with the rest. */
const leastPiece = 80;
/** An item of a list that is larger is divided, any other stays whole: the smallest room holds more than that. */
const largeItem: Room = { characters: 1500, elements: 150 };

/**
 * As much of a flow as there is room for, and the rest, which begins with the headings that it stands under. A text is
 * divided between lines or words, a list between its items. Of any flow and a room of some hundred characters at
 * least something is kept.
 */
export function takeFlow(
  flow: readonly FlowPart[],
  room: Room,
): { readonly kept: readonly FlowPart[]; readonly rest: readonly FlowPart[] } {
  let left = room;
  let at = 0;
  const kept: FlowPart[] = [];
  for (; at < flow.length; at += 1) {
    const next = flow[at];
    if (next === undefined || !fits(measure(next.part), left)) break;
    kept.push(next);
    left = subtract(left, measure(next.part));
  }
  const rest = flow.slice(at);
  const [first] = rest;
  if (first === undefined) return { kept, rest };
  const [head, tail] = first.level === undefined ? divide(first.part, left) : [undefined, first.part];
  if (head !== undefined) kept.push({ part: head });
  if (head !== undefined && tail !== undefined) rest[0] = { ...first, part: tail };
  // A heading stays with what is under it; where there is nothing but headings, they are what is kept.
  const filled = kept.findLastIndex(({ level }) => level === undefined) + 1;
  if (filled > 0) rest.unshift(...kept.splice(filled));
  return { kept, rest: [...repeatHeadings(kept, rest[0]), ...rest] };
}

function repeatHeadings(kept: readonly FlowPart[], next: FlowPart | undefined): readonly FlowPart[] {
  if (next?.level === 1) return [];
  const top = kept.findLastIndex(({ level }) => level === 1);
  const heading = kept[top];
  if (heading === undefined) return [];
  const again = headingPart(`${readText(heading.part).replace(/ \(continued\)$/, '')} (continued)`, 1);
  const owner = kept.slice(top).findLast(({ level }) => level === 2);
  return owner === undefined || next?.level === 2 ? [again] : [again, owner];
}

/** The words of a part; of a list none. */
export function readText(part: RichTextPart): string {
  if (part.type === 'rich_text_list') return '';
  return part.elements.map((leaf) => (leaf.type === 'user' ? '' : leaf.text)).join('');
}

function divide(
  part: RichTextPart,
  left: Room,
): readonly [RichTextPart | undefined, RichTextPart | undefined] {
  if (left.characters < leastPiece || left.elements < 4) return [undefined, part];
  switch (part.type) {
    case 'rich_text_list':
      return divideList(part, left);
    case 'rich_text_preformatted': {
      const { text } = part.elements[0] ?? { text: '' };
      const at = findEnd(text, left.characters);
      const [head, tail] = [text.slice(0, at), text.slice(at)];
      const hold = (piece: string): RichTextPart => ({ ...part, elements: [{ type: 'text', text: piece }] });
      return [hold(head), tail === '' ? undefined : hold(tail)];
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

function divideList(
  list: RichTextList,
  room: Room,
): readonly [RichTextList | undefined, RichTextList | undefined] {
  let left = room;
  const head: RichTextSection[] = [];
  for (const item of list.elements) {
    const size = measureLeaves(item.elements);
    if (!fits(size, left)) break;
    head.push(item);
    left = subtract(left, size);
  }
  // Slack counts every list from 1, so the numbers of the rest are written out.
  const tail = list.elements.slice(head.length).map((item, at) => {
    const number = textLeaf(`${String(head.length + at + 1)}. `);
    return list.style === 'ordered' ? { ...item, elements: joinLeaves([number, ...item.elements]) } : item;
  });
  const next = list.elements[head.length];
  const isLarge = next !== undefined && !fits(measureLeaves(next.elements), largeItem);
  if (isLarge && left.characters >= leastPiece && left.elements >= 4) {
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
  room: Room,
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
    const at = findEnd(next.text, left.characters);
    head.push({ ...next, text: next.text.slice(0, at) });
    const rest = next.text.slice(at).trimStart();
    if (rest === '') tail.shift();
    else tail[0] = { ...next, text: rest };
  }
  return [head, tail];
}

/** Where to divide a text of more than `most` characters: after a line, else after a word, else between graphemes. */
function findEnd(text: string, most: number): number {
  const reach = text.slice(0, most);
  if (reach.length === text.length) return most;
  const line = reach.lastIndexOf('\n') + 1;
  if (line > most / 2) return line;
  const word = reach.search(/\s\S*$/) + 1;
  if (word > most / 2) return word;
  return splitText(text.slice(0, most + 64), most)[0]?.length ?? most;
}
