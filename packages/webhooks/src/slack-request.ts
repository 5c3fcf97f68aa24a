import { timingSafeEqual } from 'node:crypto';

import { assertBytes, computeMac, isTimestampText } from './signature.ts';

/** What Slack sends to an app, as it came. */
export interface SlackRequest {
  /** The raw bytes. */
  readonly body: Uint8Array;
  /** `X-Slack-Request-Timestamp`; undefined: absent or repeated. */
  readonly timestamp: string | undefined;
  /** `X-Slack-Signature`; undefined: absent or repeated. */
  readonly signature: string | undefined;
}

/** Both ways, as Slack advises (docs.slack.dev, Verifying requests from Slack). */
const TOLERANCE_SECONDS = 300;

const signaturePattern = /^v0=[0-9a-f]{64}$/;

/**
 * Whether a request was signed with the signing secret of a Slack app, version v0: HMAC-SHA256 over `v0:`, the timestamp,
 * `:` and the raw bytes. Constant time.
 */
export function verifySlackRequest(
  { body, timestamp, signature }: SlackRequest,
  secret: string,
  nowSeconds: number,
): boolean {
  assertBytes(body);
  if (timestamp === undefined || !isTimestampText(timestamp)) return false;
  if (signature === undefined || !signaturePattern.test(signature)) return false;
  if (!(Math.abs(nowSeconds - Number(timestamp)) <= TOLERANCE_SECONDS)) return false;
  const mac = computeMac(secret, `v0:${timestamp}:`, body);
  return timingSafeEqual(mac, Buffer.from(signature.slice(3), 'hex'));
}
