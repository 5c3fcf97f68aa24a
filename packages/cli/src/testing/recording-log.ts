import type { Log } from '@aftermeet/queue';

/** A log that records its lines: level, message and fields. */
export function createRecordingLog(): { readonly log: Log; readonly lines: readonly string[] } {
  const lines: string[] = [];
  const write =
    (level: string) =>
    (fields: object, message?: string): void => {
      lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
    };
  const log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  return { log, lines };
}
