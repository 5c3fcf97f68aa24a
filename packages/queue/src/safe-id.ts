import { createHash } from 'node:crypto';

/**
 * Makes any text usable as a job id and as a key. BullMQ refuses ids with a colon and bare integers,
 * PostgreSQL refuses NUL; such texts, and long ones, become their SHA-256 (64 hex digits).
 */
export function toSafeId(text: string): string {
  if (/^[A-Za-z0-9_-]{1,128}$/.test(text) && !/^-?\d+$/.test(text)) return text;
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
