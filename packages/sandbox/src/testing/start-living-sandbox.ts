import { onTestFinished } from 'vitest';

import type { SandboxOptions } from '../service/sandbox-options.ts';
import { startPickyReceiver } from './start-picky-receiver.ts';
import { startTestSandbox, type TestSandbox } from './start-test-sandbox.ts';

interface ReceivedEvent {
  readonly event: string;
  readonly meeting_id: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A sandbox whose clock stands still until it is moved on, and a receiver of its events. */
export interface LivingSandbox extends TestSandbox {
  readonly advance: (byMs: number) => void;
  /** Sends a bot, by default to the same link each time and without a receiver; returns the meeting's id. */
  readonly record: (fields?: object) => Promise<string>;
  readonly readStatus: (meetingId: string) => Promise<unknown>;
  readonly receiverUrl: string;
  /** Resolves when so many events have arrived, with all that have. */
  readonly waitForEvents: (count: number) => Promise<readonly ReceivedEvent[]>;
}

/** Closes when the test ends. */
export async function startLivingSandbox(options: SandboxOptions = {}): Promise<LivingSandbox> {
  const receiver = await startPickyReceiver();
  const house = await startTestSandbox(options);
  const { sandbox, call } = house;
  onTestFinished(sandbox.close);
  sandbox.clock.change({ isFrozen: true });
  return {
    ...house,
    advance: sandbox.clock.advance,
    async record(fields = {}) {
      const { body } = await call('POST', '/api/record-meeting', {
        link: 'https://meet.example/plans',
        ...fields,
      });
      return (body as { meeting_id: string }).meeting_id;
    },
    readStatus: async (meetingId) => (await call('GET', `/api/meeting/status?meeting_id=${meetingId}`)).body,
    receiverUrl: receiver.url,
    async waitForEvents(count) {
      const arrivals = await receiver.waitFor(count);
      return arrivals.map(({ body }) => JSON.parse(body.toString()) as ReceivedEvent);
    },
  };
}
