import type { RepeatOptions } from '../transport/repeat-attempt.ts';

/** Somebody is looking at an empty list: one more attempt, not three. */
export const listOptions: RepeatOptions = { retries: 1 };
