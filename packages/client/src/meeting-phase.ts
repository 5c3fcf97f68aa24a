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

const phases: ReadonlyMap<string, MeetingPhase> = new Map([
  ['scheduled', 'scheduled'],
  ['joining', 'joining'],
  ['recording', 'recording'],
  ['queued', 'processing'],
  ['processing', 'processing'],
  // `new` means ready but not opened yet: it turns `processed` at the first read of the report.
  ['new', 'ready'],
  ['processed', 'ready'],
  ['failed', 'failed'],
  ['cancelled', 'cancelled'],
]);

/** An unknown word is `unknown`: whoever waits asks again. */
export function readPhase(status: string): MeetingPhase {
  return phases.get(status.trim().toLowerCase()) ?? 'unknown';
}
