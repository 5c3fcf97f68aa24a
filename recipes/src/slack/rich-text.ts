import { cutText } from '../text/cut-text.ts';
import { dropEnd } from '../text/drop-end.ts';
import type { RichTextList, RichTextSection } from './slack-message.ts';

type RichTextPart = RichTextSection | RichTextList;

/** Nobody reads more lines than this in a chat, and every element makes the message heavier. */
const maxLines = 100;

/** Room for text that is used up as text is taken; it remembers whether anything had to be left out. */
export class TextBudget {
  isExceeded = false;
  #left: number;

  constructor(length: number) {
    this.#left = length;
  }

  /** As much of the text as there is room for; empty when there is none. */
  take(text: string, maxLength = Number.POSITIVE_INFINITY): string {
    const taken = cutText(text, Math.min(this.#left, maxLength));
    // One or two characters and an ellipsis tell nobody anything.
    const kept = taken.length < text.length && taken.length < 3 ? '' : taken;
    if (kept !== text) this.isExceeded = true;
    this.#left -= kept.length;
    return kept;
  }

  /** The first `count` of the items. */
  takeFirst<Item>(items: readonly Item[], count: number): readonly Item[] {
    if (items.length > count) this.isExceeded = true;
    return items.slice(0, count);
  }
}

/** A bold line of its own. */
export function boldLine(text: string): RichTextSection {
  return { type: 'rich_text_section', elements: [{ type: 'text', text, style: { bold: true } }] };
}

/** Plain text with `•` bullets as paragraphs and real lists, as far as the budget reaches. */
export function toRichText(plain: string, budget: TextBudget): RichTextPart[] {
  const parts: RichTextPart[] = [];
  for (const line of budget.takeFirst(budget.take(plain).split('\n'), maxLines)) {
    const item = /^( *)• (.+)$/.exec(line);
    if (item === null) addParagraphLine(parts, line);
    else addListItem(parts, item[2] ?? '', Math.min(Math.floor((item[1] ?? '').length / 2), 8));
  }
  return parts.map(trimSection).filter((part) => part !== undefined);
}

/** Items as one list, as far as the budget reaches. */
export function toBullets(items: readonly string[], budget: TextBudget, maxItem: number): RichTextPart[] {
  const elements: RichTextSection[] = [];
  for (const item of budget.takeFirst(items, maxLines)) {
    const text = budget.take(item, maxItem).trim();
    if (text !== '') elements.push(sectionOf(text));
  }
  return elements.length === 0 ? [] : [{ type: 'rich_text_list', style: 'bullet', indent: 0, elements }];
}

function sectionOf(text: string): RichTextSection {
  return { type: 'rich_text_section', elements: [{ type: 'text', text }] };
}

function addParagraphLine(parts: RichTextPart[], line: string): void {
  const last = parts.at(-1);
  if (last?.type !== 'rich_text_section') {
    parts.push(sectionOf(`${line}\n`));
    return;
  }
  const before = last.elements[0];
  parts[parts.length - 1] = sectionOf(`${before?.type === 'text' ? before.text : ''}${line}\n`);
}

function addListItem(parts: RichTextPart[], text: string, indent: number): void {
  const last = parts.at(-1);
  if (last?.type === 'rich_text_list' && last.indent === indent) last.elements.push(sectionOf(text));
  else parts.push({ type: 'rich_text_list', style: 'bullet', indent, elements: [sectionOf(text)] });
}

/** Slack refuses empty text, and a paragraph needs no blank lines around it. */
function trimSection(part: RichTextPart): RichTextPart | undefined {
  if (part.type === 'rich_text_list') return part;
  const first = part.elements[0];
  const text = first?.type === 'text' ? dropEnd(first.text.replace(/^\n+/, ''), '\n') : '';
  return text.trim() === '' ? undefined : sectionOf(`${text}\n`);
}
