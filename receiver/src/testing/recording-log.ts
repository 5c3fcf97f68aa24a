import type { Log } from '@aftermeet/queue';

/** A log that records its lines with their fields. */
export function createRecordingLog(lines: string[]): Log {
  const record = (fields: object, text: string): void => {
    lines.push(`${text} ${JSON.stringify(fields)}`);
  };
  return { debug: record, info: record, warn: record, error: record };
}
