import type { RecordingStatus } from '@aftermeet/client';

import type { CommandContext } from '../context.ts';
import { EXIT_FAILED, EXIT_OK } from '../errors.ts';
import { formatJson } from '../terminal/format.ts';
import { cleanLine, pasteWord } from '../terminal/text.ts';
import { describeFault } from './explain-service-error.ts';
import { type Service, withService } from './with-service.ts';

/** Waits until a meeting is ready or has failed, and shows its status. An outage is reported once until it is over. */
export function waitForMeeting(
  { client, call, progress }: Service,
  meetingId: string,
): Promise<RecordingStatus> {
  let isAway = false;
  progress.show({ kind: 'wait', label: 'asking' });
  return client.recordings.waitUntilReady(meetingId, {
    ...call,
    onFault: (error) => {
      if (!isAway) progress.note(`${cleanLine(describeFault(error))}; asking again.`);
      isAway = true;
    },
    onStatus: (status) => {
      isAway = false;
      progress.show({ kind: 'wait', label: status.phase === 'unknown' ? status.status : namePhase(status) });
    },
  });
}

/**
 * Waits for a new meeting and returns the exit code. With `json` it prints `made` even if the wait fails, because the
 * meeting's id must not get lost.
 */
export async function waitForNewMeeting(
  context: CommandContext,
  json: boolean | undefined,
  made: { readonly meetingId: string },
): Promise<number> {
  const { meetingId } = made;
  const command = `aftermeet status ${pasteWord(meetingId)} --wait`;
  let status: RecordingStatus | undefined;
  try {
    status = await withService(
      context,
      { json, stopped: `Stopped waiting; the meeting goes on. To wait again: ${command}` },
      (service) => waitForMeeting(service, meetingId),
    );
  } finally {
    if (json === true) context.write(formatJson({ ...made, ...status }));
  }
  if (json !== true) context.write(`${describeStatus(status)}\n`);
  return status.phase === 'ready' ? EXIT_OK : EXIT_FAILED;
}

/** Our word for the phase, and the service's word if it differs. */
export function describeStatus(status: RecordingStatus): string {
  const word = readWord(status);
  return word === status.phase
    ? status.phase
    : `${namePhase(status)} (the service says: ${cleanLine(status.status)})`;
}

/** The service says `queued` both before a recording and after it (observed). */
function namePhase(status: RecordingStatus): string {
  return readWord(status) === 'queued' ? 'planned, or waiting to be processed' : status.phase;
}

function readWord({ status }: RecordingStatus): string {
  return cleanLine(status).toLowerCase();
}
