import { createInbox, type Log, openBackend } from '@aftermeet/queue';
import {
  createReceiver,
  type Endpoints,
  type MeterReading,
  type Receiver,
  type ReloadResult,
} from '@aftermeet/receiver';

import { dropAbsent } from '../drop-absent.ts';
import { listenOn } from '../listen-on.ts';
import type { Settings } from '../settings/settings.ts';
import type { Keep } from '../use-parts.ts';
import { requiresToken } from './requires-token.ts';

/** Longer than the receiver takes to answer what it holds. */
export const STOP_WITHIN_MS = 10_000;

/** Of the settings, what a receiver needs: plain data, so that it can cross to another process. */
export type ReceiverSettings = ReturnType<typeof pickReceiverSettings>;

/** The secrets of other services stay where they are. */
export function pickReceiverSettings(settings: Settings) {
  const { endpoints, queueUrl, toleranceSeconds, headerPrefix, host, port, log } = settings;
  const { adminToken, trustedProxies, maxBodyBytes } = settings;
  return {
    endpoints,
    queueUrl,
    toleranceSeconds,
    headerPrefix,
    host,
    port,
    log,
    trustedProxies,
    maxBodyBytes,
    requireToken: requiresToken(settings),
    ...dropAbsent({ adminToken }),
  };
}

export interface ReceiverParts {
  readonly log: Log;
  /** Read anew at each delivery. */
  readonly endpoints: Endpoints;
  readonly reload: () => Promise<ReloadResult>;
  /** Of all processes; this one alone by default. */
  readonly listReadings?: () => Promise<readonly MeterReading[]>;
}

export interface OpenReceiver {
  readonly url: string;
  /** The queue's name, without a password. */
  readonly queue: string;
  readonly read: Receiver['read'];
}

/** Opens the queue and listens. Each part is kept by the caller as it opens. */
export async function openReceiver(
  settings: Omit<ReceiverSettings, 'endpoints'>,
  { log, endpoints, reload, listReadings }: ReceiverParts,
  keep: Keep,
): Promise<OpenReceiver> {
  const { adminToken, host, port } = settings;
  const backend = keep(await openBackend(settings.queueUrl, { log }));
  const inbox = keep(await createInbox(backend, { log }));
  const receiver = keep(
    createReceiver({
      endpoints,
      inbox,
      log,
      toleranceSeconds: settings.toleranceSeconds,
      headerPrefix: settings.headerPrefix,
      maxBodyBytes: settings.maxBodyBytes,
      trustedProxies: settings.trustedProxies,
      requireToken: settings.requireToken,
      reload,
      ...(listReadings === undefined ? {} : { listReadings }),
      ...(adminToken === undefined ? {} : { adminToken }),
    }),
  );
  const { url } = await listenOn((free) => receiver.listen({ host, port: free }), port);
  return { url, queue: backend.name, read: () => receiver.read() };
}
