import { createHmac } from 'node:crypto';

import { SECRET } from './services.ts';

/**
 * Posts a signed `meeting.completed` for a meeting and returns the status. The signature is made here, by
 * the specification's rule and Node's own HMAC, not by the code under test.
 */
export async function deliver(
  hookUrl: string,
  meetingId: string,
  secret = SECRET,
  title = 'Story meeting',
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const body = JSON.stringify({
    event: 'meeting.completed',
    meeting_id: meetingId,
    timestamp: new Date().toISOString(),
    data: { title, is_transcript_empty: false },
  });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const digest = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  const response = await fetch(hookUrl, {
    method: 'POST',
    // The service waits no longer.
    signal: AbortSignal.timeout(10_000),
    body,
    headers: {
      'content-type': 'application/json',
      'x-service-event': 'meeting.completed',
      'x-service-signature': `sha256=${digest}`,
      'x-service-timestamp': timestamp,
      'x-service-delivery': `story-${meetingId}`,
      ...headers,
    },
  });
  await response.arrayBuffer();
  return response.status;
}
