import type { Log } from '@aftermeet/queue';
import { pino } from 'pino';

import type { LogSettings } from './settings/settings.ts';

/**
 * The log of a hosted process, on stderr so that stdout stays for results. Pretty on a terminal, JSON
 * elsewhere, unless the settings say.
 */
export async function createLog({ level, format }: LogSettings): Promise<Log> {
  const pretty = (format ?? (process.stderr.isTTY ? 'pretty' : 'json')) === 'pretty';
  const options = { level, base: null };
  if (!pretty) {
    const log: Log = pino(options, pino.destination({ dest: 2, sync: true }));
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
