import { describeKind } from '@aftermeet/contract';

import { cleanLine, cutToWidth } from '../terminal/text.ts';
import { canQuote, isSecretPlace, UNQUOTED_NUMBER } from './hide-secrets.ts';

const MAX_WIDTH = 60;

/** A longer number may be a secret that YAML has read as one. */
const MAX_DIGITS = 9;

/**
 * What the settings file has at a place, for an error about it; `kind` where nothing is there, or it can be secret.
 * `written` is the file before variables are filled, so that none of their values is shown; `kind` says what the value is
 * with them.
 */
export function describeWritten(written: unknown, path: readonly (string | number)[], kind: string): string {
  const value = path.reduce(readMember, written);
  if (typeof value === 'number') {
    const isShort = String(value).replaceAll(/\D/g, '').length <= MAX_DIGITS;
    return isShort && !isSecretPlace(path) ? describeKind(value) : UNQUOTED_NUMBER;
  }
  if (isSecretPlace(path)) return kind;
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || value === '') return value === undefined ? kind : describeKind(value);
  if (!canQuote(path, value)) return kind;
  // The default of a variable can be secret, too.
  const shown = cutToWidth(cleanLine(value.replaceAll(/(\$\{\w+:-)[^}]+/g, '$1…')), MAX_WIDTH);
  return value.includes('${') ? `${shown}, which is ${kind}` : JSON.stringify(shown);
}

/** What an object or a list has of its own under this name. */
export function readMember(value: unknown, part: string | number): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, part)
    ? Reflect.get(value, part)
    : undefined;
}
