// Deliveries as the service makes them, as Aftermeet's receiver sends them on, and those that nobody should believe.
import { createHmac } from 'node:crypto';
import { request } from 'node:http';

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
export function signForward(event, { with: key = forwardKey, id = 'msg_1' } = {}) {
  const { event: type, meeting_id: meetingId, timestamp: at, data } = event;
  const body = JSON.stringify({ type, timestamp: at, data: { ...data, meeting_id: meetingId } });
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

const forwardKey = Buffer.alloc(32, 7);
export const forwardSecret = `whsec_${forwardKey.toString('base64')}`;

/** Posts it; a header may be a list, which is sent as so many lines. Answers the status and the body. */
export async function post(url, { headers, body }) {
  return await new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, agent: false }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const isJson = answer.headers['content-type']?.includes('json');
        resolve({ status: answer.statusCode, body: isJson ? JSON.parse(text) : text });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
