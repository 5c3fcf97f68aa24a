import type { Log } from '@aftermeet/queue';
import { pino } from 'pino';

import type { LogSettings } from './settings/settings.ts';

/** Characters that wait for a slow reader of the log. */
const MAX_BUFFERED_LENGTH = 4 * 1024 * 1024;

/** Lines are written together, because a write for each costs more than the delivery that it tells of. */
const WRITE_LENGTH = 4096;
const WRITE_AFTER_MS = 100;

/**
 * The log of a hosted process, on stderr so that stdout stays for results. Pretty on a terminal, JSON
 * elsewhere, unless the settings say.
 */
export async function createLog({ level, format }: LogSettings): Promise<Log> {
  const pretty = (format ?? (process.stderr.isTTY ? 'pretty' : 'json')) === 'pretty';
  const options = { level, base: null };
  if (!pretty) {
    // Not synchronous: whoever stops reading our log must not stop deliveries. What is too much is dropped.
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
  // Loaded only where a person looks: it costs a tenth of a second.
  const { default: createPretty } = await import('pino-pretty');
  const log: Log = pino(
    options,
    createPretty({ destination: 2, sync: true, translateTime: 'SYS:HH:MM:ss.l' }),
  );
  return log;
}
