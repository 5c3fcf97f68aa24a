import { knobsSchema, type Knobs } from '@aftermeet/sandbox';

import { dropAbsent } from '../drop-absent.ts';
import { WrongUse } from '../wrong-use.ts';

/** The knobs of the command line. Throws `WrongUse` for one that does not exist or has no such value. */
export function readKnobs(given: Readonly<Record<string, unknown>>): Partial<Knobs> {
  const reading = knobsSchema.partial().safeParse(given);
  if (reading.success) return dropAbsent(reading.data);
  const [issue] = reading.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  throw new WrongUse(`--knob can't be used: ${place}${issue?.message ?? 'it is invalid'}\n`);
}
