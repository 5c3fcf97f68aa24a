import type { OperationId } from '@aftermeet/contract';

import { answerError, type ServiceAnswer } from '../service-answer.ts';
import type { KeyVerdict } from './account.ts';
import type { Plan } from './plan.ts';

/** The refusal of a call whose key is not right; undefined when it is. The specification shows the status only. */
export function refuseKey(verdict: KeyVerdict, given: string | undefined): ServiceAnswer | undefined {
  if (verdict === 'right') return undefined;
  if (verdict === 'expired') {
    return answerError(
      401,
      'KEY_EXPIRED',
      'The API key has expired: make a new one in the workspace settings.',
    );
  }
  const isSent = given !== undefined && given !== '';
  return answerError(401, 'UNAUTHORIZED', isSent ? wrongKey : 'Send the API key in the header X-API-KEY.');
}

/** The refusal of a call that the plan does not cover, as observed: 403 without a plan, 402 for a recording without minutes. */
export function refusePlan(plan: Plan, operation: OperationId): ServiceAnswer | undefined {
  if (plan.name === 'none') return answerError(403, 'PLAN_REQUIRED', planRequired);
  return operation === 'recordings.start' ? refuseMinutes(plan) : undefined;
}

/** For what makes a meeting: a recording, and the last chunk of a file. */
export function refuseMinutes({ minutesLeft }: Plan): ServiceAnswer | undefined {
  if (minutesLeft !== 0) return undefined;
  return answerError(
    402,
    'MINUTES_USED_UP',
    'The minutes of the plan are used up: buy more or wait for the next month.',
  );
}

export const wrongKey = 'The API key is not valid: it is another one, or a new one has replaced it.';
export const planRequired = 'The workspace has no paid plan: the API needs Lite, Pro or Business.';
