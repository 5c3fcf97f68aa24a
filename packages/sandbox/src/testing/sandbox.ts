import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';

import { createSandbox, type Sandbox } from '../create-sandbox.ts';
import type { SandboxOptions, SandboxStep } from '../sandbox-options.ts';
import { startPickyReceiver } from './receiver.ts';

const nowMs = Date.parse('2026-07-07T12:00:00Z');

interface TestAnswer {
  readonly status: number;
  readonly type: string | null;
  readonly body: unknown;
}

/** A listening sandbox at a fixed time, and the calls that tests make. */
export interface TestSandbox {
  readonly sandbox: Sandbox;
  readonly url: string;
  /** A body that is text is sent as it is. */
  readonly call: (
    method: string,
    path: string,
    body?: object | string,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<TestAnswer>;
  /** Sends a bot, by default to the same link each time and without a receiver; returns the meeting's id. */
  readonly record: (fields?: object) => Promise<string>;
  /** Records a meeting of a link of its own, lets it end and returns its id. */
  readonly holdMeeting: (fields?: object) => Promise<string>;
  readonly readStatus: (meetingId: string) => Promise<unknown>;
  readonly readReport: (meetingId: string) => Promise<TestAnswer>;
}

export async function startTestSandbox(options: SandboxOptions = {}): Promise<TestSandbox> {
  const sandbox = createSandbox({ clock: () => nowMs, seed: 7, ...options });
  const { url } = await sandbox.listen();

  const call: TestSandbox['call'] = async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { 'X-API-KEY': 'sandbox_key', 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const type = response.headers.get('content-type');
    const text = await response.text();
    const isJson = type?.startsWith('application/json') === true && text !== '';
    return { status: response.status, type, body: isJson ? (JSON.parse(text) as unknown) : text };
  };

  async function record(fields: object = {}): Promise<string> {
    const { body } = await call('POST', '/api/record-meeting', {
      link: 'https://meet.example/plans',
      ...fields,
    });
    return (body as { meeting_id: string }).meeting_id;
  }

  let held = 0;
  return {
    sandbox,
    url,
    call,
    record,
    async holdMeeting(fields) {
      held += 1;
      const meetingId = await record({ link: `https://meet.google.com/abc-defg-hij${held}`, ...fields });
      sandbox.completeMeeting(meetingId);
      return meetingId;
    },
    readStatus: async (meetingId) => (await call('GET', `/api/meeting/status?meeting_id=${meetingId}`)).body,
    readReport: (meetingId) => call('GET', `/api/video/report?meeting_id=${meetingId}`),
  };
}

/** One for all tests of a file or of the `describe` around it, reset before each. */
export function useTestSandbox(options?: SandboxOptions): TestSandbox {
  const service = {} as TestSandbox;
  beforeAll(async () => Object.assign(service, await startTestSandbox(options)));
  beforeEach(() => service.sandbox.reset());
  afterAll(() => service.sandbox.close());
  return service;
}

interface ReceivedEvent {
  readonly event: string;
  readonly meeting_id: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A sandbox at a fixed time, which a test advances, and a receiver of its events. */
export interface LivingSandbox extends TestSandbox {
  readonly advance: (byMs: number) => void;
  readonly receiverUrl: string;
  /** Resolves when so many events have arrived, with all that have. */
  readonly waitForEvents: (count: number) => Promise<readonly ReceivedEvent[]>;
}

/** Closes when the test ends. */
export async function startLivingSandbox(options: SandboxOptions = {}): Promise<LivingSandbox> {
  const receiver = await startPickyReceiver();
  const test = await startTestSandbox(options);
  onTestFinished(test.sandbox.close);
  return {
    ...test,
    advance: test.sandbox.clock.advance,
    receiverUrl: receiver.url,
    async waitForEvents(count) {
      const arrivals = await receiver.waitFor(count);
      return arrivals.map(({ body }) => JSON.parse(body.toString()) as ReceivedEvent);
    },
  };
}

export const deliverySecret = 'a-secret-of-enough-length';

/** A listening sandbox whose deliveries are watched. The machine's time stands still at 2026-07-07T12:00:00Z. */
interface DeliveringSandbox {
  readonly sandbox: Sandbox;
  readonly url: string;
  readonly steps: readonly SandboxStep[];
  /** Records a meeting whose events go to the receiver, signed, and returns its id. */
  readonly record: (receiverUrl: string | undefined, fields?: object) => Promise<string>;
  /** Records one and lets it end; returns the id of the delivery. */
  readonly deliver: (receiverUrl: string, fields?: object) => Promise<string>;
  readonly post: (
    path: string,
    body?: object,
  ) => Promise<{ readonly status: number; readonly body: unknown }>;
  readonly read: (path: string) => Promise<{ readonly status: number; readonly text: string }>;
  /** Resolves when so many attempts have ended. */
  readonly waitForAttempts: (count: number) => Promise<void>;
}

/** With a receiver that reacts so. Both close when the test ends. */
export async function startDelivery(
  react?: Parameters<typeof startPickyReceiver>[0],
  options?: SandboxOptions,
) {
  const receiver = await startPickyReceiver(react);
  const started = await startDeliveringSandbox(options);
  return {
    ...started,
    receiver,
    record: (fields?: object) => started.record(receiver.url, fields),
    deliver: (fields?: object) => started.deliver(receiver.url, fields),
  };
}

/** Closes when the test ends. */
export async function startDeliveringSandbox(options: SandboxOptions = {}): Promise<DeliveringSandbox> {
  const steps: SandboxStep[] = [];
  const watchers = new Set<() => void>();
  const sandbox = createSandbox({
    clock: () => Date.parse('2026-07-07T12:00:00Z'),
    seed: 7,
    ...options,
    observe(step) {
      steps.push(step);
      options.observe?.(step);
      for (const look of watchers) look();
    },
  });
  onTestFinished(sandbox.close);
  const { url } = await sandbox.listen();
  let recorded = 0;

  async function post(path: string, body: object = {}) {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'X-API-KEY': 'sandbox_key', 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as unknown };
  }

  async function record(receiverUrl: string | undefined, fields: object = {}): Promise<string> {
    recorded += 1;
    const { body } = await post('/api/record-meeting', {
      link: `https://zoom.us/j/${String(recorded)}`,
      title: 'Планы',
      webhook_url: receiverUrl,
      webhook_secret: deliverySecret,
      ...fields,
    });
    return (body as { meeting_id: string }).meeting_id;
  }

  return {
    sandbox,
    url,
    steps,
    record,
    async deliver(receiverUrl, fields) {
      const finish = sandbox.completeMeeting(await record(receiverUrl, fields));
      return finish?.deliveryId ?? 'none';
    },
    post,
    async read(path) {
      const response = await fetch(url + path);
      return { status: response.status, text: await response.text() };
    },
    waitForAttempts: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (steps.filter(({ kind }) => kind === 'delivery_attempted').length < count) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
  };
}
