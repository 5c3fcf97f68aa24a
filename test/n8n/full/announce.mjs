// Lets the sandbox record a meeting, end it, and tell n8n so itself.
import { webhookSecret } from './credentials.mjs';

let recorded = 0;

/** `fault` is one of the sandbox's for deliveries, `failed` a reason. Answers once n8n has answered, `attempts` times. */
export async function announce({ sandbox, url, key }, address, options = {}) {
  const { title = 'A title', failed, isTranscriptEmpty = false, fault, attempts = 1 } = options;
  const meetingId = await recordMeeting(
    { url, key },
    { title, webhook_url: address, webhook_secret: webhookSecret },
  );
  if (fault !== undefined) sandbox.faults.add(fault);
  const { deliveryId } =
    failed === undefined
      ? sandbox.completeMeeting(meetingId, { isTranscriptEmpty })
      : sandbox.failMeeting(meetingId, { reason: failed });
  return { meetingId, deliveryId, statuses: await waitForAnswers(sandbox, deliveryId, attempts) };
}

/** Answers the id of a meeting that is being recorded. */
export async function recordMeeting({ url, key }, fields) {
  recorded += 1;
  const started = await fetch(`${url}/api/record-meeting`, {
    method: 'POST',
    headers: { 'X-API-KEY': key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ link: `https://zoom.us/j/${String(recorded)}`, ...fields }),
  });
  if (!started.ok) throw new Error(`the sandbox answered ${started.status}: ${await started.text()}`);
  return (await started.json()).meeting_id;
}

/** What n8n has answered to a delivery, once there are so many answers. */
export async function waitForAnswers(sandbox, deliveryId, attempts) {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    const made = sandbox.deliveries().find(({ id }) => id === deliveryId)?.attempts ?? [];
    if (made.length >= attempts) return made.map(({ status, error }) => status ?? error);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the delivery ${deliveryId} was not attempted ${attempts} times within 30 seconds`);
}
