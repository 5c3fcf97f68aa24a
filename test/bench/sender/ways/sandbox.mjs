// The whole way in the sandbox: a meeting is completed, its event written, signed, sent and noted in the log.
import { createSandbox } from '../../../../packages/sandbox/dist/index.js';

export async function start(port, onEnd, atOnce) {
  const sandbox = createSandbox({
    observe(step) {
      if (step.kind !== 'delivery_attempted') return;
      if (step.status !== 200) throw new Error(`the sink answered ${step.status ?? step.error}`);
      onEnd();
    },
  });
  const { url } = await sandbox.listen();
  const meetingIds = [];
  for (let index = 0; index < atOnce; index += 1) {
    const response = await fetch(`${url}/api/record-meeting`, {
      method: 'POST',
      headers: { 'X-API-KEY': 'sandbox_key', 'Content-Type': 'application/json' },
      body: JSON.stringify({
        link: `https://zoom.us/j/${index}`,
        title: 'Планы на осень',
        webhook_url: `http://127.0.0.1:${port}/hooks/default`,
        webhook_secret: 'a-secret-of-enough-length',
      }),
    });
    meetingIds.push((await response.json()).meeting_id);
  }
  let turn = 0;
  return {
    send() {
      turn += 1;
      sandbox.completeMeeting(meetingIds[turn % atOnce]);
    },
    close: () => sandbox.close(),
  };
}
