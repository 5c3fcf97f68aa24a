import { isDecisions, isTasks, normaliseName } from './block-kind.ts';
import { hasWords, saysNothing } from './says-nothing.ts';

const bulletPattern = /^(?:[-*•+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/;
/** So much further to the right begins what is inside of an entry, not beside it. */
const INNER_INDENT = 2;
const MAX_LABEL_LENGTH = 60;

/** A heading, a bold line or a line that ends with a colon, for the entries that follow. */
interface Label {
  /** Undefined where it only says that this is the list. */
  readonly text: string | undefined;
  readonly isHeading: boolean;
  isUsed: boolean;
}

interface Item {
  readonly indent: number;
  readonly label: Label | undefined;
  readonly parts: string[];
}

/**
 * The entries of a Markdown list. What is indented below an entry belongs to it, bullets too. Where the list has
 * several labels, each stands before its entries (`Ann: Send the deck`): nothing else tells them apart. A text
 * without bullets is read line by line. `onSkipped` hears of each line that is lost, but for headings.
 */
export function readListItems(text: string, onSkipped: () => void): readonly string[] {
  const lines = text.split(/\r?\n/);
  const hasBullets = lines.some((line) => bulletPattern.test(line.trimStart()) && hasWords(line));
  const items: Item[] = [];
  const labels: Label[] = [];
  let item: Item | undefined;
  let isAfterGap = false;
  for (const line of lines) {
    const words = line.trim();
    isAfterGap ||= words === '';
    if (!hasWords(words)) continue;
    const indent = measureIndent(line);
    const entry = words.replace(bulletPattern, '');
    const isBullet = entry !== words;
    const label = isBullet ? undefined : readLabel(words, hasBullets);
    if (item !== undefined && isInside(item, indent, isBullet)) {
      item.parts.push(isBullet ? joinBullet(item, entry) : ` ${words}`);
    } else if (label !== undefined) {
      labels.push(label);
      item = undefined;
    } else if (isBullet || !hasBullets) {
      item = { indent, label: labels.at(-1), parts: [entry] };
      if (item.label !== undefined) item.label.isUsed = true;
      items.push(item);
    } else if (item !== undefined && !isAfterGap) {
      item.parts.push(` ${words}`);
    } else {
      item = undefined;
      onSkipped();
    }
    isAfterGap = false;
  }
  return writeItems(items, labels, onSkipped);
}

function writeItems(
  items: readonly Item[],
  labels: readonly Label[],
  onSkipped: () => void,
): readonly string[] {
  const groups = labels.filter(({ text, isUsed }) => text !== undefined && isUsed);
  const shown = new Set(
    groups.length > 1 ? groups.filter(({ text = '' }) => text.length <= MAX_LABEL_LENGTH) : [],
  );
  for (const label of labels) {
    if (label.text !== undefined && !label.isHeading && !shown.has(label)) onSkipped();
  }
  return items
    .map(({ label, parts }) => ({ label, text: parts.join('') }))
    .filter(({ text }) => !saysNothing(text))
    .map(({ label, text }) =>
      label?.text !== undefined && shown.has(label) ? `${label.text}: ${text}` : text,
    );
}

function measureIndent(line: string): number {
  return line.slice(0, line.length - line.trimStart().length).replaceAll('\t', '    ').length;
}

function isInside(item: Item, indent: number, isBullet: boolean): boolean {
  return isBullet ? indent >= item.indent + INNER_INDENT : indent > item.indent;
}

function joinBullet({ parts }: Item, entry: string): string {
  return /[.:;!?]$/.test(parts.at(-1)?.slice(-1) ?? '') ? ` ${entry}` : `; ${entry}`;
}

/** Without bullets, only what is surely no entry. */
function readLabel(words: string, hasBullets: boolean): Label | undefined {
  const isHeading = words.startsWith('#');
  const isBold = /^(?:\*\*|__).+(?:\*\*|__):?$/.test(words);
  const text = words.replaceAll(/^[#*_\s]+|[*_:\s]+$/g, '');
  const key = normaliseName(text);
  const isOfList = isTasks(key) || isDecisions(key);
  if (!isHeading && !isOfList && !(hasBullets && (isBold || words.endsWith(':')))) return undefined;
  return { text: isOfList ? undefined : text, isHeading, isUsed: false };
}
