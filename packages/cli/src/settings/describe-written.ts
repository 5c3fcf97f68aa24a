import { describeKind } from '@aftermeet/contract';

import { cleanLine, cutToWidth } from '../terminal/text.ts';

const MAX_WIDTH = 60;

/** Names of settings whose values can be secret, or the addresses and names of people. */
const hiddenName = /auth|body|dkim|headers?$|key|link|password|people|secret|token|ur[il]$/i;

/** Texts that can be secret whatever their setting: addresses of mail and of the web, and what looks like a key. */
const hiddenText = /@|:\/\/|[\w+/=~.-]{20}/;

/**
 * What the settings file has at a place, for an error about it; undefined: nothing, or it can be secret. `written` is the
 * file before variables are filled, so that none of their values is shown; `kind` says what the value is with them.
 */
export function describeWritten(
  written: unknown,
  path: readonly (string | number)[],
  kind: string,
): string | undefined {
  if (path.some((part) => hiddenName.test(String(part)))) return undefined;
  const value = path.reduce(readMember, written);
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || value === '') return value === undefined ? undefined : describeKind(value);
  if (hiddenText.test(value)) return undefined;
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
