import { suggestName } from '@aftermeet/contract';
import type { z } from 'zod';

/** How a stand-in plays its vendor, as far as that can be turned while it runs. */
export interface KnobBox<Knobs extends object> {
  readonly read: () => Knobs;
  /** Turns some of them; the others stay. Throws `RangeError` on a value that a knob cannot have. */
  readonly turn: (changes: Partial<Knobs>) => void;
  /** As `turn`, of what came over the wire; a refusal says what is wrong. */
  readonly order: (body: unknown) => { readonly knobs: Knobs } | { readonly refusal: string };
  /** Back to how the stand-in was started. */
  readonly reset: () => void;
}

/** `schema` names every knob and has no defaults; `initial` says how they stand at the start. */
export function createKnobBox<Knobs extends object>(
  schema: z.ZodType<Knobs>,
  initial: Knobs,
): KnobBox<Knobs> {
  const first = schema.parse(initial);
  let knobs = first;

  function order(body: unknown): { readonly knobs: Knobs } | { readonly refusal: string } {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      return { refusal: `Knobs are an object of ${Object.keys(knobs).join(', ')}.` };
    }
    const reading = schema.safeParse({ ...knobs, ...body });
    if (!reading.success) return { refusal: describeIssue(reading.error, Object.keys(knobs)) };
    knobs = reading.data;
    return { knobs };
  }

  return {
    read: () => knobs,
    turn(changes) {
      const outcome = order(changes);
      if ('refusal' in outcome) throw new RangeError(outcome.refusal);
    },
    order,
    reset() {
      knobs = first;
    },
  };
}

/** What is wrong and with which knob; a value is never repeated. */
function describeIssue({ issues: [issue] }: z.ZodError, names: readonly string[]): string {
  if (issue?.code === 'unrecognized_keys' && issue.path.length === 0) {
    return `There is no such knob: ${suggestName(issue.keys[0] ?? '', names)}.`;
  }
  const place = issue === undefined || issue.path.length === 0 ? 'The body' : issue.path.join('.');
  return `${place}: ${issue?.message ?? 'is invalid'}.`;
}
