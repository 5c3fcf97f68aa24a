import { readSystemFault } from '@aftermeet/client';

/** Runs a call that gets a signal, and rejects with `TooSlow` at its timeout also where the call ignores the signal. */
export async function withinTime<Value>(
  run: (signal: AbortSignal) => Value | Promise<Value>,
  timeoutMs: number,
): Promise<Value> {
  const signal = AbortSignal.timeout(timeoutMs);
  const late = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new TooSlow()), { once: true });
  });
  // A call that throws at once rejects too.
  return await Promise.race([Promise.resolve(signal).then(run), late]);
}

/** A call took longer than its timeout. */
export class TooSlow extends Error {
  override readonly name = 'TimeoutError';
}

/** Errors whose words are those of the language, and hold no content of a report. */
const plainErrors: readonly string[] = ['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError'];

/** Where code failed: `./notes.ts:12`. `place` is its file or package. */
export function locateFailure(error: unknown, place: string): string {
  const { stack = '' } = error instanceof Error ? error : {};
  const file = place.slice(place.lastIndexOf('/') + 1);
  const line = stack
    .split('\n')
    .find((one) => one.includes(file))
    ?.match(/:(\d+):\d+\)?$/)?.[1];
  return line === undefined ? place : `${place}:${line}`;
}

/** The name of an error, with its message where that is sure to hold no content. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'something that is no error';
  return plainErrors.includes(error.name) ? `${error.name}: ${error.message}` : error.name;
}

/** The name of an error and the system's code, without its message: that may name the address that was called. */
export function nameError(error: unknown): string {
  if (!(error instanceof Error)) return 'something that is no error';
  const { systemCode } = readSystemFault(error);
  return /^[A-Z][A-Z0-9_]+$/.test(systemCode) ? `${error.name}, ${systemCode}` : error.name;
}
