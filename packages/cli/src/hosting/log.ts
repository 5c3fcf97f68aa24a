import type { Log } from '@aftermeet/queue';

import type { LogSettings } from '../settings/settings.ts';
import { removeInvisible } from '../terminal/text.ts';

/** Characters that may wait for a slow reader of the log. */
const MAX_BUFFERED_LENGTH = 4 * 1024 * 1024;

/** Lines are written in batches: a write per line would cost more than the delivery that it reports. */
const WRITE_LENGTH = 4096;
const WRITE_AFTER_MS = 100;

/** Has warnings of Node written as lines of the log: what reads a log of JSON does not read their plain text. */
export function logWarnings(log: Log): void {
  // Node's own listener, which prints them.
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => log.warn({ warning: name }, message));
}

/** Waits for the end of a hosted process; what ends it stands in the log too, where what is printed is not looked for. */
export async function logFailure(log: Log, run: Promise<void>): Promise<void> {
  try {
    await run;
  } catch (error) {
    const { describeError } = await import('@aftermeet/queue');
    log.error({ error: describeError(error) }, 'this process cannot go on');
    throw error;
  }
}

/** The log of a hosted process, on stderr. Unless the settings say otherwise, pretty on a terminal and JSON elsewhere. */
export async function createLog({ level, format }: LogSettings): Promise<Log> {
  const { pino } = await import('pino');
  const isPretty = (format ?? (process.stderr.isTTY ? 'pretty' : 'json')) === 'pretty';
  // Ids and names of other people stand in lines of the log.
  const options = { level, base: null, hooks: { streamWrite: removeInvisible } };
  if (!isPretty) {
    // Asynchronous: a reader that stops reading must not stop deliveries. Lines over the buffer are dropped.
    const log: Log = pino(
      options,
      pino.destination({
        dest: 2,
        sync: false,
        minLength: WRITE_LENGTH,
        periodicFlush: WRITE_AFTER_MS,
        maxLength: MAX_BUFFERED_LENGTH,
      }),
    );
    return log;
  }
  // Imported only here: it takes a tenth of a second.
  const { default: createPretty } = await import('pino-pretty');
  const log: Log = pino(
    options,
    createPretty({ destination: 2, sync: true, translateTime: 'SYS:HH:MM:ss.l' }),
  );
  return log;
}
