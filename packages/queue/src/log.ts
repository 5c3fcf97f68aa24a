import { describeError, findStoreCause, type StoreCause } from './errors.ts';

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

/** What all connections to a store say of it: one line when it goes away, and one with the length when it is back. */
export interface OutageLog {
  readonly failed: (error: unknown) => void;
  /** The store has answered. */
  readonly recovered: () => void;
  readonly isAway: () => boolean;
}

/** Connections come back one after the other: the outage is over when none has failed for so long after the first answer. */
const CALM_MS = 1000;

/** `fields` are part of each line. While the store is away, another line follows only for another cause that it names. */
export function createOutageLog(
  log: Log,
  fields: object,
  nowMs: () => number = () => performance.now(),
): OutageLog {
  let away: { readonly sinceMs: number; cause: StoreCause | undefined } | undefined;
  let ending: NodeJS.Timeout | undefined;
  const end = (awayMs: number): void => {
    away = undefined;
    ending = undefined;
    log.info({ ...fields, awaySeconds: Math.round(awayMs / 100) / 10 }, 'queue store: available again');
  };
  return {
    failed(error) {
      clearTimeout(ending);
      ending = undefined;
      const found = findStoreCause(error);
      // A server that starts again is away as before.
      const cause = found === 'loading' ? undefined : found;
      if (away !== undefined && (cause === undefined || cause === away.cause)) return;
      away = { sinceMs: away?.sinceMs ?? nowMs(), cause };
      const named = cause === undefined ? {} : { cause };
      log.warn({ ...fields, error: describeError(error), ...named }, 'queue store: unavailable, retrying');
    },
    recovered() {
      if (away === undefined || ending !== undefined) return;
      ending = setTimeout(end, CALM_MS, nowMs() - away.sinceMs).unref();
    },
    isAway: () => away !== undefined,
  };
}
