// Deliveries that Aftermeet's receiver sends on.
import { describeEvent, post, signForward } from '../engine/plays/deliver.mjs';
import { forwardSecret } from './credentials.mjs';

/** Posts an event as Aftermeet's receiver sends it on, signed as Standard Webhooks has it; `change` is done behind the signature. */
export async function sendForwarded(address, event, change) {
  const { headers, body } = signForward(event, forwardSecret);
  return await post(address, { headers, body: change(body) });
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

/** A finished meeting, at a time of its own. */
export function completed(meetingId) {
  return { ...describeEvent(), meeting_id: meetingId };
}
