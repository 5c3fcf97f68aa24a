import { createHash } from 'node:crypto';

/** Lowercase hex SHA-256 of a text in UTF-8. */
export function hashText(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
