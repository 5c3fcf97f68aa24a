import { z } from 'zod';

// A form of the page carries text only.

/** True or false. */
export const formFlag = z.union(
  [z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')],
  { error: 'must be true or false' },
);

/** A number; text as JSON writes numbers. */
export const formNumber = z.union(
  [
    z.number(),
    z
      .string()
      .regex(/^\d{1,15}(?:\.\d{1,9})?$/)
      .transform(Number),
  ],
  { error: 'must be a number' },
);
