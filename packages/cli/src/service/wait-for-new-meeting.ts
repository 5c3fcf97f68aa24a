import type { RecordingStatus } from '@aftermeet/client';

import type { Context } from '../context.ts';
import { EXIT_FAILED, EXIT_OK } from '../exit-codes.ts';
import { pasteWord } from '../quote-word.ts';
import { formatJson } from '../terminal/format-json.ts';
import { describeStatus } from './describe-status.ts';
import { waitForMeeting } from './wait-for-meeting.ts';
import { withService } from './with-service.ts';

/**
 * Waits for a meeting that was just made, and returns the exit code. With `json` it prints what was made, also
 * when the wait ends badly: nobody may lose the id of a meeting over it.
 */
export async function waitForNewMeeting(
  context: Context,
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
