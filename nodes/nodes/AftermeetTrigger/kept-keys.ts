import { keyLength } from './delivery-key.ts';

/** Of the last so many deliveries; a retry comes within five hours. */
export const mostKeys = 1000;

/**
 * Keys that n8n keeps between executions, as one text: what is an object in static data is watched property by property, and
 * saved with every delivery. Oldest first, each of the same length. What is no such text holds nothing. Pure.
 */
export function holdsKey(kept: unknown, key: string): boolean {
  return typeof kept === 'string' && ` ${kept} `.includes(` ${key} `);
}

/** The text with keys that it does not hold behind the others, and without the oldest where there are too many. Pure. */
export function appendKeys(kept: string, keys: readonly string[]): string {
  const added = [...new Set(keys)].filter((key) => key.length === keyLength && !holdsKey(kept, key));
  return [kept, ...added]
    .filter((part) => part !== '')
    .join(' ')
    .slice(-(mostKeys * (keyLength + 1) - 1));
}

/** The text with the keys that it does not hold yet, and without the oldest where there are too many. Pure. */
export function addKeys(kept: unknown, keys: readonly string[]): string {
  const before = typeof kept === 'string' && kept !== '' ? kept.split(' ') : [];
  return [...new Set([...before, ...keys])]
    .slice(-mostKeys)
    .filter((key) => key.length === keyLength)
    .join(' ');
}
