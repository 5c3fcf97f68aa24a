import { onTestFinished } from 'vitest';

import { createSandbox, type Sandbox } from '../service/create-sandbox.ts';
import type { SandboxOptions } from '../service/sandbox-options.ts';
import type { SandboxStep } from '../service/sandbox-step.ts';

export const deliverySecret = 'a-secret-of-enough-length';

/** A listening sandbox whose deliveries are watched. The machine's time stands still at 2026-07-07T12:00:00Z. */
export interface DeliveringSandbox {
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
