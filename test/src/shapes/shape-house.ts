import { type Client, createClient } from '@aftermeet/client';
import { createSandbox, type Sandbox } from '@aftermeet/sandbox';

/** A sandbox whose knobs a test turns, and the real client in front of it. */
export interface ShapeHouse {
  readonly sandbox: Sandbox;
  readonly client: Client;
  /** Records a meeting and lets it end, unless told otherwise; its id. */
  readonly hold: (isOver?: boolean) => Promise<string>;
  /** Calls a control route with a JSON body. */
  readonly steer: (path: string, body: object) => Promise<void>;
  readonly close: () => Promise<void>;
}

const apiKey = 'sandbox_key';
const nowMs = Date.parse('2026-07-07T12:00:00Z');

export async function startShapeHouse(): Promise<ShapeHouse> {
  const clock = (): number => nowMs;
  const sandbox = createSandbox({ apiKey, clock, seed: 7 });
  const { url } = await sandbox.listen();
  const client = createClient({ baseUrl: url, apiKey, clock, retries: 0 });
  let held = 0;
  return {
    sandbox,
    client,
    async hold(isOver = true) {
      held += 1;
      const link = `https://meet.example/${String(held)}`;
      const { meetingId } = await client.recordings.start({ link, title: `Plans ${String(held)}` });
      if (isOver) sandbox.completeMeeting(meetingId);
      return meetingId;
    },
    async steer(path, body) {
      const response = await fetch(`${url}/_sandbox${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`${path} answered ${String(response.status)}`);
      await response.body?.cancel();
    },
    close: sandbox.close,
  };
}
