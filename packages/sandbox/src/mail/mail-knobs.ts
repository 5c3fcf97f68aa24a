import { z } from 'zod';

/** How the mail server behaves, as far as it can be turned while the stand-in runs. */
export const mailKnobsSchema = z.strictObject({
  /** True: MAIL without a login before it is 530. Any login does. */
  require_auth: z.boolean(),
  /** The largest message, announced as SIZE (RFC 1870); a larger one is 552. */
  max_bytes: z.int().min(1),
  /** Greylisting: a sender writes to a recipient for the first time, and is told 451 for so long (0: once); null: never. */
  greylist_seconds: z.number().min(0).nullable(),
});

export type MailKnobs = z.output<typeof mailKnobsSchema>;

export const usualMailKnobs: MailKnobs = {
  require_auth: false,
  max_bytes: 20 * 1024 * 1024,
  greylist_seconds: null,
};
