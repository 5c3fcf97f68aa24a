import type { Problem } from '@aftermeet/contract';

import { asFields, asList } from './loose.ts';

const HIDDEN = '[hidden]';
/** Hiding every `a` of a message because a title is `a` would hide the message. */
const MIN_REDACTION_LENGTH = 4;

/** Fields of inputs that stay out of errors: secrets, addresses that work as one, and names of people and things. */
const privateFields = [
  'webhookSecret',
  'webhookUrl',
  'link',
  'title',
  'q',
  'newSummaryText',
  'participants',
  'authors',
  'filename',
];

/** What no error may repeat: the key, and the private fields of an input. */
export function listRedactions(apiKey: string, input: unknown): readonly string[] {
  const fields = asFields(input) ?? {};
  const texts = privateFields
    .flatMap((name) => [fields[name], ...asList(fields[name])])
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String);
  return [apiKey, ...texts].filter((text) => text.length >= MIN_REDACTION_LENGTH);
}

/** The text without the given texts. */
export function redact(text: string, redactions: readonly string[]): string {
  // The longest first: a shorter one may be a part of it.
  const longestFirst = redactions.filter((part) => part !== '').toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce((clean, part) => clean.replaceAll(part, HIDDEN), text);
}

/** Problems repeat names that an input has too many, and numbers. */
export function redactProblems(
  problems: readonly Problem[],
  redactions: readonly string[],
): readonly Problem[] {
  const hide = (text: string): string => redact(text, redactions);
  return problems.map((problem) => ({
    ...problem,
    ...(problem.code === 'unknown' ? { path: problem.path.map((part) => hide(String(part))) } : {}),
    ...(problem.received === undefined ? {} : { received: hide(problem.received) }),
  }));
}
