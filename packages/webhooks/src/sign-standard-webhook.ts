import { createHmac } from 'node:crypto';

/** One message to somebody's address. */
export interface StandardWebhook {
  /** The same in every attempt: the receiver knows a repetition by it. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly sentAtMs: number;
  readonly body: string;
}

/**
 * The headers of Standard Webhooks: HMAC-SHA256 over `id.timestamp.body` in Base64, once for each key, so that a
 * secret can be replaced while both are valid (standardwebhooks.com, Verifying webhook authenticity). Pure.
 */
export function signStandardWebhook(
  { id, sentAtMs, body }: StandardWebhook,
  keys: readonly Buffer[],
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const timestamp = String(Math.floor(sentAtMs / 1000));
  const signatures = keys.map((key) => {
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`, 'utf8');
    return `v1,${signature.digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
