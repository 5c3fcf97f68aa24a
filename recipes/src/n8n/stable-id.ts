import { createHash } from 'node:crypto';

/** An id in the form of a UUID (version 8, RFC 9562 section 5.8) that is the same for the same words. */
export function stableUuid(...words: readonly string[]): string {
  const hex = hash(words);
  const variant = ((parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-');
}

/** An id in the form that n8n gives its workflows, 16 letters and digits, that is the same for the same words. */
export function stableWorkflowId(...words: readonly string[]): string {
  return hash(words).slice(0, 16);
}

function hash(words: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(words)).digest('hex');
}
