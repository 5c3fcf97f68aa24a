import { connect, type Socket } from 'node:net';

import type { Acceptance } from '@aftermeet/queue';

import { createReceiverMetrics } from '../metrics.ts';
import { createReceiver, type Receiver, type ReceiverLimits, type ReceiverOptions } from '../receiver.ts';
import { NOW_MS, SECRET } from './event-text.ts';
import { createListInbox } from './list-inbox.ts';
import { createRecordingLog } from './recording-log.ts';

export interface TestReceiver {
  readonly receiver: Receiver;
  readonly url: string;
  /** Stored deliveries, oldest first. */
  readonly stored: readonly Acceptance[];
  readonly lines: readonly string[];
  /** The value of one series, such as `aftermeet_held_bytes`. */
  readMetric(series: string): Promise<number>;
  open(allowHalfOpen?: boolean): Socket;
}

/** Starts a receiver on a free port with an inbox in memory and a fixed clock. */
export async function startTestReceiver(
  options: Partial<ReceiverOptions> = {},
  limits: Partial<ReceiverLimits> = {},
  where: { readonly port: number; readonly reusePort?: boolean } = { port: 0 },
): Promise<TestReceiver> {
  const inbox = createListInbox();
  const lines: string[] = [];
  const endpoints = options.endpoints ?? { byName: new Map([['default', { secrets: [SECRET] }]]) };
  const metrics = createReceiverMetrics(endpoints);
  const receiver = createReceiver(
    {
      endpoints,
      inbox,
      log: createRecordingLog(lines),
      nowMs: () => NOW_MS,
      metrics,
      ...options,
    },
    { idleGraceMs: 0, ...limits },
  );
  const { url } = await receiver.listen({ host: '127.0.0.1', ...where });
  const open = (allowHalfOpen = false): Socket =>
    connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen });
  const readMetric = async (series: string): Promise<number> => {
    const line = (await metrics.render()).split('\n').find((text) => text.startsWith(`${series} `));
    return Number(line?.slice(series.length + 1));
  };
  return { receiver, readMetric, url, stored: inbox.stored, lines, open };
}
