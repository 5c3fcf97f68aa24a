import { z } from 'zod';

import { quoteName } from '../web/quote-name.ts';

/** `must be …`, or that it is missing. */
function demand(what: string) {
  return (issue: z.core.$ZodRawIssue): string =>
    issue.input === undefined ? `is missing; it must be ${what}` : `must be ${what}`;
}

/** A whole number whose refusal names the range. */
export function wholeNumber(min: number, max: number): z.ZodInt {
  const error = demand(`a whole number from ${String(min)} to ${String(max)}`);
  return z.int({ error }).min(min, { error }).max(max, { error });
}

/** A whole number from `min` on; `otherwise` is what it may be besides. */
export function countFrom(min: number, otherwise = ''): z.ZodInt {
  const error = demand(`a whole number from ${String(min)} on${otherwise}`);
  return z.int({ error }).min(min, { error });
}

/** Words for what a schema does not say itself. */
export function sayFaultIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_value') {
    return demand(`one of ${issue.values.map(String).join(', ')}`)(issue);
  }
  if (issue.code === 'too_small') return `must be at least ${String(issue.minimum)}`;
  if (issue.code === 'too_big') return `must be at most ${String(issue.maximum)}`;
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.expected === 'boolean') return demand('true or false')(issue);
  return demand(issue.expected === 'string' ? 'text' : 'a number')(issue);
}

/** For a field that no fault of the kind has; `known` are those that it can have. */
export function sayUnknownField(known: readonly string[]) {
  return (issue: z.core.$ZodRawIssue): string | undefined => {
    if (issue.code !== 'unrecognized_keys') return undefined;
    return `has no ${quoteName(issue.keys[0] ?? '')}; besides kind it can have ${known.join(', ')}`;
  };
}
