/**
 * Programming errors are thrown, never turned into a verdict: a check that is silently off
 * (no secret, a tolerance of NaN) is worse than a process that refuses to work.
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
  if (secret === '') throw new RangeError(`The ${name} is empty: anybody could sign with it.`);
}
