import { deliveryHeaderNames, signDelivery } from '@aftermeet/webhooks';

import { isLoopbackName } from '../web/guard-local.ts';
import type { DeliveryOrder } from './delivery.ts';

export interface AttemptSettings {
  readonly fetch: typeof fetch;
  readonly headerPrefix: string;
  readonly timeoutMs: number;
  readonly allowRemoteReceivers: boolean;
}

/** What an attempt came to. `again`: worth another one by the service's observed rule. */
export interface AttemptResult {
  readonly status?: number;
  readonly error?: string;
  readonly verdict: 'delivered' | 'again' | 'final';
}

/** The receiver is not on this machine, and nobody allowed that. */
const remoteRefused = 'not sent: the receiver is not a loopback address, and allowRemoteReceivers is off';

/**
 * Sends a delivery once. Redirects are not followed. Any 2xx accepts; connection errors, timeouts, 5xx, 408
 * and 429 are worth another attempt; everything else is final.
 */
export async function attemptDelivery(
  order: DeliveryOrder,
  timestampSeconds: number,
  settings: AttemptSettings,
  closing: AbortSignal,
): Promise<AttemptResult> {
  if (!settings.allowRemoteReceivers && !isLoopbackName(new URL(order.url).hostname)) {
    return { error: remoteRefused, verdict: 'final' };
  }
  const controller = new AbortController();
  const abort = (): void => {
    controller.abort();
  };
  const timer = setTimeout(abort, settings.timeoutMs);
  closing.addEventListener('abort', abort);
  try {
    const response = await settings.fetch(order.url, {
      method: 'POST',
      headers: makeHeaders(order, timestampSeconds, settings.headerPrefix),
      body: order.body,
      redirect: 'manual',
      signal: controller.signal,
    });
    await response.body?.cancel();
    return { status: response.status, verdict: judgeStatus(response.status) };
  } catch (error) {
    return { error: controller.signal.aborted ? 'timeout' : nameFailure(error), verdict: 'again' };
  } finally {
    clearTimeout(timer);
    closing.removeEventListener('abort', abort);
  }
}

function makeHeaders(order: DeliveryOrder, timestampSeconds: number, prefix: string): Record<string, string> {
  const names = deliveryHeaderNames(prefix);
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'aftermeet-sandbox',
    [names.event]: order.event,
    [names.delivery]: order.id,
    [names.timestamp]: String(timestampSeconds),
  };
  if (order.secret === undefined) return headers;
  const signed = signDelivery({ secret: order.secret, timestampSeconds, body: order.body });
  return { ...headers, [names.timestamp]: signed.timestamp, [names.signature]: signed.signature };
}

function judgeStatus(status: number): AttemptResult['verdict'] {
  if (status >= 200 && status < 300) return 'delivered';
  return status >= 500 || status === 408 || status === 429 ? 'again' : 'final';
}

/** The system's code for the failure: fetch wraps it, and its message would name the address. */
function nameFailure(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : 'connection failed';
}
