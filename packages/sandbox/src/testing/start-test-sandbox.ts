import { createSandbox, type Sandbox } from '../service/create-sandbox.ts';
import type { SandboxOptions } from '../service/sandbox-options.ts';

const nowMs = Date.parse('2026-07-07T12:00:00Z');
const meetLink = 'https://meet.google.com/abc-defg-hij';

interface TestAnswer {
  readonly status: number;
  readonly type: string | null;
  readonly body: unknown;
}

/** A listening sandbox at a fixed time, and the calls that tests make. */
export interface TestSandbox {
  readonly sandbox: Sandbox;
  readonly url: string;
  readonly call: (method: string, path: string, body?: object) => Promise<TestAnswer>;
  /** Records a meeting, lets it end and returns its id. */
  readonly holdMeeting: (fields?: object) => Promise<string>;
}

export async function startTestSandbox(options: SandboxOptions = {}): Promise<TestSandbox> {
  const sandbox = createSandbox({ clock: () => nowMs, seed: 7, ...options });
  const { url } = await sandbox.listen();

  async function call(method: string, path: string, body?: object): Promise<TestAnswer> {
    const response = await fetch(url + path, {
      method,
      headers: { 'X-API-KEY': 'sandbox_key', 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const type = response.headers.get('content-type');
    const text = await response.text();
    const isJson = type?.startsWith('application/json') ?? false;
    return { status: response.status, type, body: isJson ? (JSON.parse(text) as unknown) : text };
  }

  let held = 0;
  async function holdMeeting(fields: object = {}): Promise<string> {
    held += 1;
    const { body } = await call('POST', '/api/record-meeting', {
      link: `${meetLink}${String(held)}`,
      ...fields,
    });
    const { meeting_id: meetingId } = body as { meeting_id: string };
    sandbox.completeMeeting(meetingId);
    return meetingId;
  }

  return { sandbox, url, call, holdMeeting };
}
