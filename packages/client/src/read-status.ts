import { readPhase } from './meeting-phase.ts';
import { asFields, asList, asText, firstText } from './report/loose.ts';

const wordNames = ['status', 'state'] as const;
const wrapperNames = ['data', 'result', 'meeting', 'meetings', 'statuses', 'items'] as const;
const MAX_DEPTH = 3;
/** What is longer is a page or a sentence, not a word. */
const MAX_WORD_LENGTH = 64;

/**
 * The service's word for a meeting's state, from plain text (one id), a map by id (several ids), or an object
 * or list that holds it. Words that are known come first: `{status: 'success', data: {...}}` is an envelope.
 * Without any word it is `unknown`.
 */
export function readStatusWord(body: unknown, meetingId: string): string {
  const words = findWords(body, meetingId, 0);
  return words.find((word) => readPhase(word) !== 'unknown') ?? words[0] ?? 'unknown';
}

function findWords(value: unknown, meetingId: string, depth: number): readonly string[] {
  const word = readWord(value);
  if (word !== undefined || depth > MAX_DEPTH) return word === undefined ? [] : [word];
  const fields = asFields(value);
  const inner =
    fields === undefined
      ? asList(value).filter((item) => isOf(item, meetingId))
      : [meetingId, ...wordNames, ...wrapperNames].map((name) => fields[name]);
  return inner.flatMap((held) => findWords(held, meetingId, depth + 1));
}

function isOf(item: unknown, meetingId: string): boolean {
  const id = firstText(asFields(item) ?? {}, 'id', 'meeting_id', 'meetingId');
  return id === undefined || id === meetingId;
}

/** `processed`, the same as JSON text, or the end of `Meeting is in progress now, status: processing`. */
function readWord(value: unknown): string | undefined {
  const text = typeof value === 'string' ? asText(value)?.trim() : undefined;
  if (text === undefined) return undefined;
  const word = (/status:\s*(\S+)/i.exec(text)?.[1] ?? text).replaceAll(/^["']|["'.]$/g, '');
  return word.length <= MAX_WORD_LENGTH && /^[\p{L}\p{N} _-]+$/u.test(word) ? word : undefined;
}
