// A delivery as the service makes it, and those that nobody should believe.
import { createHmac } from 'node:crypto';

import { forwardSecret, webhookSecret } from './credentials.mjs';

/** Posts an event to an address; `secret`, `atMs` and `change` make it wrong. Answers the status and the text. */
export async function sendDelivery(
  address,
  event,
  { secret = webhookSecret, atMs = Date.now(), change } = {},
) {
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(atMs / 1000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  const answer = await fetch(address, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Service-Event': event.event,
      'X-Service-Signature': `sha256=${signature}`,
      'X-Service-Timestamp': timestamp,
      'X-Service-Delivery': 'd_proof',
    },
    body: change === undefined ? body : change(body),
  });
  return { status: answer.status, text: await answer.text() };
}

/** The same event as Aftermeet's receiver sends it on, signed as Standard Webhooks has it; `change` is done behind the signature. */
export async function sendForwarded(address, { event, meeting_id: meetingId, timestamp, data }, change) {
  const body = JSON.stringify({ type: event, timestamp, data: { meeting_id: meetingId, ...data } });
  const id = `msg_${timestamp.replaceAll(/\W/g, '')}`;
  const seconds = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', forwardSecret).update(`${id}.${seconds}.${body}`).digest('base64');
  const headers = {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${signature}`,
  };
  return await fetch(address, { method: 'POST', headers, body: change(body) });
}

/** Until n8n has published what it was told to: it does so behind its answer to the request for it. */
export async function waitForAddress(address) {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    // Asked in the wrong way on purpose: n8n then names the right one, and runs nothing.
    const text = await (await fetch(address)).text();
    if (text.includes('POST request')) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`n8n did not publish ${address} within a minute`);
}

let second = 0;

/** A finished meeting, at a time of its own. */
export function completed(meetingId, data = {}) {
  second += 1;
  const timestamp = new Date(Date.UTC(2026, 6, 7, 12, 0, second)).toISOString();
  return {
    event: 'meeting.completed',
    meeting_id: meetingId,
    timestamp,
    data: { title: 'A title', is_transcript_empty: false, report_url: 'http://127.0.0.1:1/never', ...data },
  };
}
