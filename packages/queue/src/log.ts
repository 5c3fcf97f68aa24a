import { describeError } from './errors.ts';

/** Fields first, text second, ids only. A pino logger matches it. */
export interface Log {
  debug(fields: object, text: string): void;
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** Discards all lines. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Logs one line when an outage begins and one when it ends, instead of one per connection error. */
export interface OutageLog {
  readonly failed: (error: unknown) => void;
  readonly recovered: () => void;
}

const REPEAT_INTERVAL_MS = 60_000;

/** `fields` are part of each line; the same error is logged again after a minute. */
export function createOutageLog(log: Log, fields: object, nowMs: () => number = Date.now): OutageLog {
  let last: { readonly code: string; readonly atMs: number } | undefined;
  return {
    failed(error) {
      const code = describeError(error);
      if (last?.code === code && nowMs() - last.atMs < REPEAT_INTERVAL_MS) return;
      last = { code, atMs: nowMs() };
      log.warn({ ...fields, error: code }, 'queue store: unavailable, retrying');
    },
    recovered() {
      if (last === undefined) return;
      last = undefined;
      log.info(fields, 'queue store: available again');
    },
  };
}
