import { connect, type Socket } from 'node:net';

import type { Acceptance } from '@aftermeet/queue';

import { createReceiver, type Receiver, type ReceiverOptions } from '../receiver.ts';
import { NOW_MS, SECRET } from './event-text.ts';
import { createListInbox } from './list-inbox.ts';
import { createRecordingLog } from './recording-log.ts';

export interface TestReceiver {
  readonly receiver: Receiver;
  readonly url: string;
  /** What was stored in its own inbox, in its order. */
  readonly stored: readonly Acceptance[];
  readonly lines: readonly string[];
  open(allowHalfOpen?: boolean): Socket;
}

/** A receiver on a free port over a list in memory, with a clock that stands still. */
export async function startTestReceiver(options: Partial<ReceiverOptions> = {}): Promise<TestReceiver> {
  const inbox = createListInbox();
  const lines: string[] = [];
  const receiver = createReceiver({
    endpoints: { byName: new Map([['default', { secrets: [SECRET] }]]) },
    inbox,
    log: createRecordingLog(lines),
    nowMs: () => NOW_MS,
    idleGraceMs: 0,
    ...options,
  });
  const { url } = await receiver.listen({ host: '127.0.0.1', port: 0 });
  const open = (allowHalfOpen = false): Socket =>
    connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen });
  return { receiver, url, stored: inbox.stored, lines, open };
}
