import { describeWeakSecret } from '@aftermeet/webhooks';
import { z } from 'zod';

/** A secret that may guard an endpoint; the message says what is weak about it, never what it is. */
export const secretSchema = z.string().refine((value) => describeWeakSecret(value) === undefined, {
  error: (issue) =>
    `16 to 128 characters that nobody guesses (this one ${describeWeakSecret(String(issue.input)) ?? 'is weak'})`,
});
