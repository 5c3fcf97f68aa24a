/** A short text for any thrown value: code and message, or the name. */
export function describeError(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const text = error.message === '' ? error.name : error.message;
  return code !== undefined && !text.includes(code) ? `${code}: ${text}` : text;
}

/** Whether a system error (files, sockets) has one of these codes. */
export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code);
}

/**
 * The store did not confirm in time. The write may have happened; repeating it is safe. `cause` is the error of the store
 * or its driver.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';

  constructor(what: string, cause: unknown) {
    super(`the queue's store did not confirm: ${what}`, { cause });
  }
}
