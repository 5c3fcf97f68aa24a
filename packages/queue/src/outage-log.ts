import { describeError } from './describe-error.ts';
import type { Log } from './log.ts';

/** Turns a stream of connection errors into one line when an outage begins and one when it ends. */
export interface OutageLog {
  readonly failed: (error: unknown) => void;
  readonly recovered: () => void;
}

const REPEAT_AFTER_MS = 60_000;

/** `fields` go on every line; the same error is told again only after a minute. */
export function createOutageLog(log: Log, fields: object, nowMs: () => number = Date.now): OutageLog {
  let last: { readonly code: string; readonly atMs: number } | undefined;
  return {
    failed(error) {
      const code = describeError(error);
      if (last?.code === code && nowMs() - last.atMs < REPEAT_AFTER_MS) return;
      last = { code, atMs: nowMs() };
      log.warn({ ...fields, error: code }, 'queue store: trouble, trying again');
    },
    recovered() {
      if (last === undefined) return;
      last = undefined;
      log.info(fields, 'queue store: works again');
    },
  };
}
