import type { MeetingPhase } from './client.ts';
import { asFields, asList, asText, firstText } from './loose.ts';

/**
 * Observed are new, queued, processing, processed, failed and recording; the others are words of the same sense.
 * A word that could mean two states (`pending`, `finished`, `in progress`) is not among them.
 */
const phases: ReadonlyMap<string, MeetingPhase> = new Map([
  ['scheduled', 'scheduled'],
  ['planned', 'scheduled'],
  ['upcoming', 'scheduled'],
  ['joining', 'joining'],
  ['connecting', 'joining'],
  ['waiting room', 'joining'],
  ['in waiting room', 'joining'],
  ['recording', 'recording'],
  ['in call', 'recording'],
  ['queued', 'processing'],
  ['in queue', 'processing'],
  ['uploading', 'processing'],
  ['uploaded', 'processing'],
  ['transcribing', 'processing'],
  ['processing', 'processing'],
  ['generating', 'processing'],
  // `new` means ready but not opened yet: it turns `processed` at the first read of the report.
  ['new', 'ready'],
  ['processed', 'ready'],
  ['ready', 'ready'],
  ['completed', 'ready'],
  ['done', 'ready'],
  ['failed', 'failed'],
  ['failure', 'failed'],
  ['error', 'failed'],
  ['cancelled', 'cancelled'],
  ['canceled', 'cancelled'],
]);
/** No state word is longer; a longer text isn't searched. */
const MAX_STATE_LENGTH = 40;

/**
 * Reads the service's word in any case, with spaces, `_` or `-`, and in quotes or not. An unknown word is
 * `unknown`: a caller who waits asks again.
 */
export function readPhase(status: string): MeetingPhase {
  if (status.length > MAX_STATE_LENGTH) return 'unknown';
  const word = status
    .trim()
    .replaceAll(/^["']|["']$/g, '')
    .replaceAll(/[\s_-]+/g, ' ')
    .toLowerCase();
  return phases.get(word) ?? 'unknown';
}

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
