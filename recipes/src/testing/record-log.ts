import type { Log } from '@aftermeet/queue';

/** A log that keeps its lines. */
export interface RecordedLog extends Log {
  readonly lines: { readonly level: string; readonly fields: object; readonly text: string }[];
}

export function recordLog(): RecordedLog {
  const lines: RecordedLog['lines'] = [];
  const keep =
    (level: string) =>
    (fields: object, text: string): void => {
      lines.push({ level, fields, text });
    };
  return { lines, debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') };
}
