/** Our own state word; the service's word is kept beside it, because its set is open. */
export type MeetingPhase =
  | 'scheduled'
  | 'joining'
  | 'recording'
  | 'processing'
  | 'ready'
  | 'failed'
  | 'cancelled'
  | 'unknown';

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
const MAX_WORD_LENGTH = 40;

/**
 * Reads the service's word in any case, with spaces, `_` or `-`, and in quotes or not. An unknown word is
 * `unknown`: whoever waits asks again.
 */
export function readPhase(status: string): MeetingPhase {
  if (status.length > MAX_WORD_LENGTH) return 'unknown';
  const word = status
    .trim()
    .replaceAll(/^["']|["']$/g, '')
    .replaceAll(/[\s_-]+/g, ' ')
    .toLowerCase();
  return phases.get(word) ?? 'unknown';
}
