import type { Operation, Problem } from '@aftermeet/contract';

import type { Hidden } from './list-hidden.ts';
import { scrubText } from './scrub-text.ts';

/** `participants[1]`; no more digits than what is too short to be hidden. */
const fieldPattern = /^(\w+)(?:\[\d{1,3}\])?$/;
/** The only words of the contract that repeat a value: `describeKind` in its `rule.ts`. */
const quotedPattern = /(?<=; found the number ).*$/s;

/**
 * Broken rules as `field message; field message`. The fields and rules are our own words, in which a title such
 * as `hook` is nobody's business; hidden is only what may come from the caller: fields that the operation does
 * not have, and what a message quotes.
 */
export function describeProblems(
  operation: Operation,
  problems: readonly Problem[],
  { secrets, texts }: Hidden,
): string {
  const known = Object.values(operation.params).flatMap(({ shape }) => Object.keys(shape));
  const hide = (text: string): string => scrubText(text, secrets, texts);
  return joinProblems(
    problems.map(({ field, message }) => ({
      field: known.includes(fieldPattern.exec(field)?.[1] ?? '') ? field : hide(field),
      message: message.replace(quotedPattern, hide),
    })),
  );
}

/** For problems that repeat nothing of the caller's. */
export function joinProblems(problems: readonly Problem[]): string {
  return problems.map(({ field, message }) => `${field} ${message}`.trim()).join('; ');
}
