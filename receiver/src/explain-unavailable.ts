import { StoreUnavailable } from '@aftermeet/queue';

import { errorName } from './error-name.ts';
import type { Refused } from './outcome.ts';
import type { UnreadReason } from './read-body.ts';

/** A burst is over in a second or two; whoever waits longer waits for nothing. */
const RETRY_AFTER_SECONDS = 2;

/** Whatever went wrong, the sender shall repeat: the service forgets what gets another 4xx, and a 500 says no more. */
export function explainFailure(error: unknown): Refused {
  return unavailable(
    error instanceof StoreUnavailable ? 'the queue can not store it now' : `fault: ${errorName(error)}`,
  );
}

/** Why there is no body to verify. */
export function explainUnread(reason: Exclude<UnreadReason, 'aborted'>, maxBodyBytes: number): Refused {
  if (reason === 'too_large') return { kind: 'too_large', cause: `body over ${maxBodyBytes} bytes` };
  return unavailable(
    reason === 'no_room'
      ? 'the bodies under way fill the memory they may'
      : 'the body was consumed before the handler: mount it before express.json()',
  );
}

function unavailable(cause: string): Refused {
  return { kind: 'unavailable', cause, retryAfterSeconds: RETRY_AFTER_SECONDS };
}
