import { suggestName } from '@aftermeet/contract';
import type { z } from 'zod';

import { isTooDeep, maxLevels } from '../../web/is-too-deep.ts';
import { describeKnob, knobNames } from './describe-knobs.ts';
import { knobsSchema, type Knobs } from './knobs.ts';

/** `message` names the knob and what it may be turned to; it never repeats the value. */
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
    return `There is no such knob: ${suggestName(unknown, knobNames)}.`;
  }
  const place = inner.length === 0 ? '' : `${inner.map(String).join('.')}: `;
  return `${name} must be ${describeKnob(name).values}. ${place}${issue.message}.`;
}
