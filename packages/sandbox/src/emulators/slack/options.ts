import { z } from 'zod';

import { faultKind, type CallFault } from '../../faults.ts';

export const optionsSchema = z.strictObject({
  /** The token's status: `token_revoked`, `token_expired`, `account_inactive`. */
  token: z.enum(['active', 'revoked', 'expired', 'inactive']),
  /** The scopes of the app; a method that needs another one is `missing_scope`. */
  scopes: z.array(z.string().min(1)),
  /** How long a message can be updated; null: always, as for apps. */
  edit_window_minutes: z.number().min(0).nullable(),
});

export type SlackOptions = z.output<typeof optionsSchema>;

export const defaultOptions: SlackOptions = {
  token: 'active',
  scopes: [
    'channels:history',
    'channels:read',
    'chat:write',
    'files:read',
    'files:write',
    'groups:history',
    'groups:read',
    'im:history',
    'im:read',
    'im:write',
    'users:read',
    'users:read.email',
  ],
  edit_window_minutes: null,
};

/** One of Slack's errors instead of the answer, as a 200 like all of them: `fatal_error`, `is_archived`, ... */
export const errorFaultSchema = faultKind('error', {
  error: z.string().regex(/^[a-z0-9_]{1,80}$/, 'must be an error code such as fatal_error'),
  /** True: the call is done all the same, as Slack says is possible with `fatal_error` and `internal_error`. */
  is_applied: z.boolean().default(false),
});

export type SlackFault = CallFault | z.output<typeof errorFaultSchema>;
