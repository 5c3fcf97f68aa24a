import { decodeReferences } from './html-tree.ts';
import { trimSigns } from './list-lines.ts';
import type { KnownPeople } from './people.ts';
import { isListWord, saysNothing, speaksOfListOnly } from './says-nothing.ts';
import {
  findListState,
  findState,
  isListName,
  isOpenWord,
  isTopicWord,
  looksLikeOwner,
  namesNone,
  type TaskState,
} from './vocabulary.ts';

/** A line that says something about the entries below it. */
export interface LabelLine {
  /** Absent where it only says that this is the list, or that its tasks are open. */
  readonly text?: string;
  /** Who has to do the tasks below; it may say that there is no owner. */
  readonly owner?: string;
  /** How the tasks below ended; `open` ends what a label above says. */
  readonly state?: TaskState | 'open';
  /** Level of a heading, from 1; 0: no heading. */
  readonly level: number;
}

export interface LabelFrame {
  readonly kind: 'tasks' | 'decisions';
  /** The names of people that the report knows. */
  readonly people: KnownPeople;
}

/** A longer line is an entry, whatever it looks like. */
const MAX_LENGTH = 120;

/**
 * Reads a heading, a bold line, a line that ends in a colon, `【…】`, `■…` or the name of a person as the label of what follows.
 * Where the report names people, only they are owners; else what can be a name is one.
 */
export function readLabel(words: string, { kind, people }: LabelFrame): LabelLine | undefined {
  if (words.length > MAX_LENGTH) return undefined;
  const level = /^(#{1,6})\s/.exec(words)?.[1]?.length ?? 0;
  const isMarked = level > 0 || isBold(words) || isBracketed(words) || endsInColon(words);
  const text = readLabelText(words).replace(/\s?[(（]\d{1,4}[)）]$/, '');
  if (!isMarked && !people.isName(text) && !isListName(text)) return undefined;
  if (isListName(text) || speaksOfListOnly(text)) return { level };
  if (kind === 'decisions') return { text, level };
  if (isOpenWord(text)) return { state: 'open', level };
  const state = findState(text) ?? findListState(text);
  if (state !== undefined) return { text, state, level };
  const owner = readOwner(text, level > 0, people);
  return owner === undefined ? { text, level } : { text, owner, level };
}

/** The owner that a label names: `Ann Lee`, `Unassigned`, `Tasks for Ann`. */
function readOwner(text: string, isHeading: boolean, people: KnownPeople): string | undefined {
  if (people.has(text) || namesNone(text)) return isTopicWord(text) ? undefined : text;
  const words = text.split(/[^\p{L}\p{M}\p{N}.-]+/u).filter((word) => word !== '');
  const rest = words.filter((word) => !isListWord(word) && !ownerJoints.has(word.toLowerCase()));
  const name = rest.join(' ');
  if (rest.length > 0 && rest.length < words.length) {
    return people.has(name) || (people.isEmpty && looksLikeOwner(name, false)) ? name : undefined;
  }
  return people.isEmpty && looksLikeOwner(text, isHeading) ? text : undefined;
}

/** Words between a list and its owner: `Ann's tasks`, `Aufgaben für Ann`. */
const ownerJoints: ReadonlySet<string> = new Set(
  's for of by to für von an pour par de para per di voor van för till til for av dla od pro для übernimmt'.split(
    ' ',
  ),
);

/** The words of a label without its marks. */
export function readLabelText(words: string): string {
  return trimSigns(decodeReferences(words), labelSigns);
}

/** The owner whom a bullet names for its deeper bullets. Any other bullet is an entry. */
export function readBulletLabel(rest: string, frame: LabelFrame): LabelLine | undefined {
  if (frame.kind !== 'tasks' || rest.length > MAX_LENGTH) return undefined;
  const text = readLabelText(rest);
  const isMarked = isBold(rest) || endsInColon(rest);
  const isKnown = isMarked ? frame.people.has(text) && !isTopicWord(text) : frame.people.isName(text);
  const isOwner = isKnown || (isMarked && frame.people.isEmpty && looksLikeOwner(text, true));
  return isOwner ? { text, owner: text, level: 0 } : undefined;
}

/** Whether a sentence only announces a list: `These are the tasks of today.` */
export function announcesList(text: string): boolean {
  return !saysNothing(text) && speaksOfListOnly(text);
}

function isBold(words: string): boolean {
  const inner = words.replace(/[:：]$/, '');
  const mark = inner.slice(0, 2);
  if (inner.length < 5 || (mark !== '**' && mark !== '__') || !inner.endsWith(mark)) return false;
  return inner.indexOf(mark, 2) === inner.length - 2;
}

/** As minutes in Japanese have the names above the tasks. */
function isBracketed(words: string): boolean {
  const inner = words.replace(/[:：]$/, '');
  if (/^[■□◆◇▶►▼]/.test(inner)) return true;
  return inner.startsWith('【') && inner.indexOf('】') === inner.length - 1;
}

function endsInColon(words: string): boolean {
  return /[:：][*_]{0,3}$/.test(words.slice(-4));
}

const labelSigns: ReadonlySet<string> = new Set('#*_:：【】■□◆◇▶►▼ \t\u00A0\u3000');
