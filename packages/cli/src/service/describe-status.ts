import type { RecordingStatus } from '@aftermeet/client';

import { cleanLine } from '../terminal/clean-text.ts';

/** Our word for a state, and the service's where it is another one. */
export function describeStatus(status: RecordingStatus): string {
  const word = readWord(status);
  return word === status.phase
    ? status.phase
    : `${nameState(status)} (the service says: ${cleanLine(status.status)})`;
}

/** Our word for a state. The service says `queued` both before a recording and after it (observed). */
export function nameState(status: RecordingStatus): string {
  return readWord(status) === 'queued' ? 'planned, or waiting to be processed' : status.phase;
}

function readWord({ status }: RecordingStatus): string {
  return cleanLine(status).toLowerCase();
}
