import { createHmac, timingSafeEqual } from 'node:crypto';

/** One message to one address. */
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

/** A request as it came. */
export interface StandardWebhookRequest {
  /** The raw bytes, which are what was signed. */
  readonly body: Uint8Array;
  /** By names in lower case, each line apart (Node's `headersDistinct`): a doubled header is seen. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
}

export interface StandardWebhookCheck {
  /** Every secret that is valid now. One that can be no key signs nothing. */
  readonly secrets: readonly string[];
  readonly nowSeconds: number;
  /** In both directions, inclusive. */
  readonly toleranceSeconds: number;
}

/** More than a sender signs with at once; each costs a comparison with each secret. */
const mostSignatures = 20;

const timestampPattern = /^(?:0|[1-9][0-9]{0,10})$/;

// A full stop would blur where the id ends and the timestamp begins in what is signed.
const idPattern = /^[\x21-\x2d\x2f-\x7e]{1,256}$/;

/** The one spelling of 32 bytes in Base64. */
const signaturePattern = /^v1,([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)$/;

/**
 * Whether a delivery is signed as Standard Webhooks has it (standardwebhooks.com, "Verifying webhook authenticity"): HMAC-SHA256
 * over `id.timestamp.body` in Base64, one of several signatures by one of several secrets. Each of the three headers must stand
 * once. No content makes it throw; `RangeError` when there is no secret. Pure.
 */
export function isStandardWebhook(
  { body, headers }: StandardWebhookRequest,
  { secrets, nowSeconds, toleranceSeconds }: StandardWebhookCheck,
): boolean {
  const keys = secrets.map(readStandardSigningKey).filter((key) => key !== undefined);
  if (keys.length === 0)
    throw new RangeError('There is no secret that could sign a Standard Webhooks delivery.');
  const id = readLine(headers['webhook-id']);
  const timestamp = readLine(headers['webhook-timestamp']);
  const listed = readLine(headers['webhook-signature'])?.split(' ') ?? [];
  if (id === undefined || !idPattern.test(id)) return false;
  if (timestamp === undefined || !timestampPattern.test(timestamp)) return false;
  if (!(Math.abs(nowSeconds - Number(timestamp)) <= toleranceSeconds)) return false;
  if (listed.length > mostSignatures) return false;
  // Signatures of other versions may stand beside ours.
  const received = listed.flatMap((text) => signaturePattern.exec(text)?.slice(1) ?? []);
  let isGenuine = false;
  for (const key of keys) {
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`, 'utf8').update(body).digest();
    for (const signature of received) {
      // Every pair is compared, even after a match: the time must not show which pair matched.
      const isMatch = timingSafeEqual(mac, Buffer.from(signature, 'base64'));
      isGenuine ||= isMatch;
    }
  }
  return isGenuine;
}

/** A header that stood exactly once. */
function readLine(lines: readonly string[] | undefined): string | undefined {
  return lines?.length === 1 ? lines[0] : undefined;
}

const prefix = 'whsec_';

const minCharacters = 16;

/**
 * The bytes that a secret of Standard Webhooks signs with; undefined when it is none. `whsec_` is followed by the Base64 of 24 to 64 bytes,
 * as the libraries of Standard Webhooks expect it (standardwebhooks.com, Signature scheme); any other text of at least
 * 16 characters is taken as its UTF-8 bytes. Pure.
 */
export function readStandardSigningKey(secret: string): Buffer | undefined {
  if (secret.startsWith(prefix)) {
    const text = secret.slice(prefix.length);
    const key = Buffer.from(text, 'base64');
    // What is no Base64 would be dropped in silence.
    const isBase64 = key.toString('base64').replaceAll('=', '') === text.replace(/={1,2}$/, '');
    return isBase64 && key.length >= 24 && key.length <= 64 ? key : undefined;
  }
  return secret.length >= minCharacters && secret.trim() === secret ? Buffer.from(secret, 'utf8') : undefined;
}
