/** How meetings move on by themselves. */
export type Transitions =
  /** Only the control routes move them. */
  | 'manual'
  /** By the sandbox's clock: planned start, length of the recording, time for processing. */
  | 'clock'
  /** As soon as they can, after the answer has left; a planned start is waited for. */
  | 'immediate'
  /** One state onward with every so many questions for it: a whole number, at least 1. */
  | { readonly polls: number };

/** As somebody writes them: the command's `polls:3` is `{ polls: 3 }`. */
export type WrittenTransitions = Transitions | `polls:${number}`;

/** Reads what a program may have written without types; left out, it is `manual`. Throws `RangeError` on what is none of the forms. */
export function readTransitions(written: unknown = 'manual'): Transitions {
  if (written === 'manual' || written === 'clock' || written === 'immediate') return written;
  const polls = readPolls(written);
  if (Number.isSafeInteger(polls) && polls >= 1) return { polls };
  throw new RangeError(
    "No such transitions: give 'manual', 'clock', 'immediate', or { polls: 3 }, also written 'polls:3', with a whole number from 1.",
  );
}

function readPolls(written: unknown): number {
  if (typeof written === 'string') return Number(/^polls:(\d{1,9})$/.exec(written)?.[1]);
  const polls =
    typeof written === 'object' && written !== null && 'polls' in written ? written.polls : undefined;
  return typeof polls === 'number' ? polls : Number.NaN;
}
