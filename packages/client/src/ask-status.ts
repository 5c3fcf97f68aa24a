import { operations } from '@aftermeet/contract';

import type { RecordingStatus } from './client.ts';
import { readPhase } from './meeting-phase.ts';
import { readStatusWord } from './read-status.ts';
import { type CallOptions, type Connection, sendRequest } from './send-request.ts';

export interface AskedStatus {
  readonly state: RecordingStatus;
  readonly retryAfterMs?: number;
}

export async function askStatus(
  connection: Connection,
  meetingId: string,
  options?: CallOptions,
): Promise<AskedStatus> {
  const input = { meeting_id: meetingId };
  const { body, retryAfterMs } = await sendRequest(connection, operations.recordings.status, input, options);
  const status = readStatusWord(body, meetingId);
  return {
    state: { phase: readPhase(status), status },
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}
