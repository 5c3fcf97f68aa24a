import type { Found } from '@aftermeet/recipes';

import { EXIT_FAILED } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { cleanLine } from '../terminal/clean-text.ts';

export interface NamedKind {
  /** `delivery` or `effect`. */
  readonly noun: string;
  /** The command that lists them. */
  readonly list: string;
}

export const deliveryKind: NamedKind = { noun: 'delivery', list: 'aftermeet deliveries list' };
export const effectKind: NamedKind = { noun: 'effect', list: 'aftermeet effects list --state all' };

/** Why a name finds nothing, or not one thing. */
export function explainNotFound(
  name: string,
  found: Exclude<Found<unknown>, { kind: 'found' }>,
  { noun, list }: NamedKind,
): string {
  const shown = JSON.stringify(cleanLine(name));
  if (found.kind === 'none') return `There is no ${noun} ${shown}: ${list} shows what is kept.`;
  return `${shown} is the beginning of several: ${found.ids.map((id) => id.slice(0, name.length + 8)).join(', ')}.`;
}

/** What was found; throws a `Failure` that says what to do where it was not. */
export function requireFound<Value>(name: string, found: Found<Value>, kind: NamedKind): Value {
  if (found.kind === 'found') return found.value;
  throw new Failure({
    exitCode: EXIT_FAILED,
    code: 'not_found',
    message: explainNotFound(name, found, kind),
  });
}
