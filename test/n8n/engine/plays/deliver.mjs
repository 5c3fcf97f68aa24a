// Deliveries as the service makes them, and as Aftermeet's receiver sends them on.
import { createHmac } from 'node:crypto';

export const secret = 'the secret in use, 32 characters';
let second = 0;

/** The body of an event, at a time of its own. */
export function describeEvent() {
  second += 1;
  return {
    event: 'meeting.completed',
    meeting_id: 'm_1',
    timestamp: new Date(Date.UTC(2026, 6, 7, 12, 0, second)).toISOString(),
    data: {
      title: 'Weekly sync',
      is_transcript_empty: false,
      report_url: 'http://127.0.0.1:9/api/video/report?meeting_id=m_1',
    },
  };
}

/** Signed by the service (specification, "Events"). */
export function signEvent(event) {
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const mac = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  const headers = {
    'content-type': 'application/json',
    'x-service-event': event.event,
    'x-service-signature': `sha256=${mac}`,
    'x-service-timestamp': timestamp,
    'x-service-delivery': 'd_1',
  };
  return { headers, body };
}

/** Signed by the receiver, as Standard Webhooks has it. */
export function signForward(event, key) {
  const { event: type, meeting_id: meetingId, timestamp: at, data } = event;
  const body = JSON.stringify({ type, timestamp: at, data: { ...data, meeting_id: meetingId } });
  const id = 'msg_1';
  const timestamp = String(Math.floor(Date.now() / 1000));
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${mac}`,
  };
  return { headers, body };
}

/** Posts it; answers the status and the body. */
export async function post(url, { headers, body }) {
  const answer = await fetch(url, { method: 'POST', headers, body });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.includes('json');
  return { status: answer.status, body: isJson ? JSON.parse(text) : text };
}
