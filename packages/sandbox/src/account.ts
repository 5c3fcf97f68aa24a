import type { OperationId } from '@aftermeet/contract';

import { answerError, type ServiceAnswer } from './service-answer.ts';
import type { ServiceOptions, ServiceOptionStore } from './service-options.ts';

/** The plans of the specification, and `none` for a workspace without one. */
type PlanName = 'none' | 'lite' | 'pro' | 'business';

export interface Plan {
  readonly name: PlanName;
  /** Of recorded meetings; null: not counted. */
  readonly minutesLeft: number | null;
}

const firstPlan: Plan = { name: 'business', minutesLeft: null };

export interface AccountSettings {
  /** Not empty; default `sandbox_key`. */
  readonly givenKey: string | undefined;
  readonly makeId: () => string;
  /** The time of the sandbox, Unix milliseconds. */
  readonly now: () => number;
  readonly options: Pick<ServiceOptionStore, 'get'>;
}

const DEFAULT_KEY = 'sandbox_key';

const keyPattern = /^[!-~]{1,200}$/;

/** The key and the plan of the workspace. */
export type Account = ReturnType<typeof createAccount>;

export function createAccount({ givenKey, makeId, now, options }: AccountSettings) {
  const firstKey = givenKey ?? DEFAULT_KEY;
  const limiter = createRateLimiter(now);
  let key = firstKey;
  let plan = firstPlan;
  return {
    key: () => key,
    isRightKey: (given: string | undefined) => given === key,
    /** Makes the old key invalid at once. Without a key, a new one is made. Throws `RangeError` for one that no header can carry. */
    changeKey: (wanted = `sandbox_${makeId().replaceAll('-', '')}`): string => {
      if (!keyPattern.test(wanted)) {
        throw new RangeError('The key must be 1 to 200 visible ASCII characters: a header has to carry it.');
      }
      key = wanted;
      return wanted;
    },
    /** Counts a call against the rate limit; returns the seconds to wait when it is one too many. */
    countCall: () => limiter.count(options.get().rateLimit),
    plan: () => plan,
    changePlan(next: Plan): void {
      plan = next;
    },
    /** Subtracts the minutes of a meeting, where they are counted. */
    useMinutes(minutes: number): void {
      const { minutesLeft } = plan;
      if (minutesLeft !== null) plan = { ...plan, minutesLeft: Math.max(0, minutesLeft - minutes) };
    },
    reset(): void {
      key = firstKey;
      plan = firstPlan;
      limiter.reset();
    },
  };
}

/** Counts calls in windows; each begins with the first call after the one before. */
function createRateLimiter(now: () => number) {
  let startMs = -Infinity;
  let calls = 0;
  return {
    /** The whole seconds until the next call is answered, when this one is too many. */
    count(limit: ServiceOptions['rateLimit']): number | undefined {
      if (limit === null) return undefined;
      const nowMs = now();
      if (nowMs >= startMs + limit.perSeconds * 1000) {
        startMs = nowMs;
        calls = 0;
      }
      calls += 1;
      if (calls <= limit.requests) return undefined;
      return Math.max(1, Math.ceil((startMs + limit.perSeconds * 1000 - nowMs) / 1000));
    },
    reset(): void {
      startMs = -Infinity;
      calls = 0;
    },
  };
}

export const wrongKeyMessage = 'The API key is not valid: it is another one, or a new one has replaced it.';
export const planRequiredMessage = 'The workspace has no paid plan: the API needs Lite, Pro or Business.';

/**
 * Refuses a call by its key, by the rate limit or by the plan, before anything else is read. Undefined when the call is
 * allowed. `operation` is undefined for an unknown path.
 */
export function refuseCall(
  account: Account,
  apiKey: string | undefined,
  operation: OperationId | undefined,
): ServiceAnswer | undefined {
  if (!account.isRightKey(apiKey)) {
    const message = apiKey ? wrongKeyMessage : 'Send the API key in the header X-API-KEY.';
    return answerError(401, 'UNAUTHORIZED', message);
  }
  const waitSeconds = account.countCall();
  if (waitSeconds !== undefined) {
    const message = `Too many requests: wait ${String(waitSeconds)} s.`;
    return { ...answerError(429, 'RATE_LIMITED', message), headers: { 'Retry-After': String(waitSeconds) } };
  }
  if (operation === undefined) return undefined;
  if (account.plan().name === 'none') return answerError(403, 'PLAN_REQUIRED', planRequiredMessage);
  return operation === 'recordings.start' ? refuseMinutes(account.plan()) : undefined;
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
