import { z } from 'zod';

import { answerKnobs } from './answer-knobs.ts';
import { eventKnobs } from './event-knobs.ts';
import { limitKnobs } from './limit-knobs.ts';
import { reportKnobs } from './report-knobs.ts';
import { requestKnobs } from './request-knobs.ts';

/**
 * What the specification does not show, one knob each: the default is what was observed or is assumed, every other
 * value plays another service. `docs/sandbox-assumptions.md` is made from `assumptions.ts`.
 */
export const knobsSchema = z.strictObject({
  ...requestKnobs,
  ...answerKnobs,
  ...reportKnobs,
  ...limitKnobs,
  ...eventKnobs,
});

/** How the knobs are turned. A value is checked; the sandbox's own code may trust it. */
export type Knobs = z.infer<typeof knobsSchema>;

/** A change of some of them, unchecked. */
export type KnobChanges = z.input<typeof knobsSchema>;
