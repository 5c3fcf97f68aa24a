import type { RecordingStatus } from '@aftermeet/client';

import { cleanLine } from '../terminal/clean-text.ts';
import { nameState } from './describe-status.ts';
import { nameFault } from './explain-service-error.ts';
import type { Service } from './with-service.ts';

/**
 * Waits until a meeting is ready or surely will not be, and shows meanwhile how far it is. That the service is
 * away is said once, until it answers again.
 */
export function waitForMeeting(
  { client, call, progress }: Service,
  meetingId: string,
): Promise<RecordingStatus> {
  let isAway = false;
  progress.show({ kind: 'wait', label: 'asking' });
  return client.recordings.waitUntilReady(meetingId, {
    ...call,
    onFault: (error) => {
      if (!isAway) progress.note(`${cleanLine(nameFault(error))}; asking again.`);
      isAway = true;
    },
    onStatus: (status) => {
      isAway = false;
      progress.show({ kind: 'wait', label: status.phase === 'unknown' ? status.status : nameState(status) });
    },
  });
}
