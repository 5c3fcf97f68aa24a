import { findNearestName } from '@aftermeet/contract';
import type { z } from 'zod';

import { isTooDeep, maxLevels } from '../../web/is-too-deep.ts';
import { quoteName } from '../../web/quote-name.ts';
import { describeKnob, knobNames } from './describe-knobs.ts';
import { knobsSchema, type Knobs } from './knobs.ts';

/** `message` names the knob, as it was written, and what it may be turned to; it never repeats the value. */
export type KnobReading =
  | { readonly ok: true; readonly knobs: Knobs }
  | { readonly ok: false; readonly message: string };

/** Reads all knobs; one that is absent is as at the start. */
export function readKnobs(written: Readonly<Record<string, unknown>>): KnobReading {
  if (isTooDeep(written)) {
    return { ok: false, message: `The knobs may be nested ${String(maxLevels)} levels deep at most.` };
  }
  const reading = knobsSchema.safeParse(written);
  if (reading.success) return { ok: true, knobs: reading.data };
  const [issue] = reading.error.issues;
  return { ok: false, message: issue === undefined ? 'The knobs cannot be read.' : describeIssue(issue) };
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const [first, ...inner] = issue.path;
  const name = knobNames.find((known) => known === first);
  if (name === undefined) {
    const [unknown = ''] = issue.code === 'unrecognized_keys' ? issue.keys : [];
    return `There is no knob ${quoteName(unknown)}${suggest(unknown)}`;
  }
  return `${name} must be ${describeKnob(name).values}.${describeDetail(issue, inner.map(String).join('.'))}`;
}

function suggest(unknown: string): string {
  const nearest = findNearestName(unknown, knobNames);
  return nearest === undefined ? `: the knobs are ${knobNames.join(', ')}.` : `: did you mean ${nearest}?`;
}

/** What the list of values does not say already. */
function describeDetail({ code, message }: z.core.$ZodIssue, place: string): string {
  if (place === '') return code === 'custom' ? ` ${message}.` : '';
  return code === 'invalid_value' ? ` Look at ${place}.` : ` ${place}: ${message}.`;
}
