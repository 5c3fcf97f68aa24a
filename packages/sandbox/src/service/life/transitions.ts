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

/** Throws `RangeError` where nothing would ever move on. */
export function checkTransitions(transitions: Transitions): void {
  if (typeof transitions === 'string' || (Number.isInteger(transitions.polls) && transitions.polls >= 1)) {
    return;
  }
  throw new RangeError(
    `A meeting cannot move on with every ${String(transitions.polls)} questions: give 1 or more.`,
  );
}
