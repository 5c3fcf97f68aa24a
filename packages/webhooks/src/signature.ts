import { createHmac } from 'node:crypto';

/**
 * HMAC-SHA256 (RFC 2104) over the parts, one after the other: 32 bytes.
 * The one place where a MAC is made, so that what signs and what verifies cannot drift apart.
 */
export function computeMac(
  key: string | Uint8Array,
  first: string | Uint8Array,
  second?: string | Uint8Array,
): Buffer {
  const hmac = createHmac('sha256', key).update(first);
  return (second === undefined ? hmac : hmac.update(second)).digest();
}

const signaturePattern = /^sha256=[0-9a-f]{64}$/;

const prefixLength = 'sha256='.length;

/** The text of the signature header (specification, Events): `sha256=` and 64 lowercase hex digits. */
export function formatSignature(mac: Uint8Array): string {
  return `sha256=${Buffer.from(mac).toString('hex')}`;
}

/**
 * The 32 bytes of a signature header, or nothing when the text is not exactly of that form.
 * The form is of fixed length, so a truncated MAC can never be compared.
 */
export function parseSignature(text: string): Buffer | undefined {
  return signaturePattern.test(text) ? Buffer.from(text.slice(prefixLength), 'hex') : undefined;
}

/** The largest time that eleven digits can hold (the year 5138); it fits a safe integer. */
export const maxTimestampSeconds = 99_999_999_999;

// Exactly one spelling for each second: `+1`, `01`, `1.0`, `1e3` and blanks are not the literal that was signed.
const timestampPattern = /^(0|[1-9][0-9]{0,10})$/;

/** Whether the text is a Unix time in whole seconds, in the only spelling that is accepted. */
export function isTimestampText(text: string): boolean {
  return timestampPattern.test(text);
}

/**
 * Programming errors are thrown, never returned as a result: a check that is silently off
 * (no secret, a tolerance of NaN) is worse than a process that stops.
 */
export function assertBytes(body: unknown): asserts body is Uint8Array {
  if (body instanceof Uint8Array) return;
  // Not `instanceof` alone: test runners and workers hand over bytes of another realm.
  if (!ArrayBuffer.isView(body) || Object.prototype.toString.call(body) !== '[object Uint8Array]') {
    throw new TypeError(
      'The body must be the raw bytes (Uint8Array or Buffer), as they came: text or parsed JSON has lost what was signed.',
    );
  }
}

/** Throws `TypeError` or `RangeError` unless the value can be a key; never repeats it. */
export function assertSecret(secret: unknown, name: string): asserts secret is string {
  if (typeof secret !== 'string')
    throw new TypeError(`The ${name} must be a string, found ${typeof secret}.`);
  if (secret === '') throw new RangeError(`The ${name} is empty: everyone could sign with it.`);
}
