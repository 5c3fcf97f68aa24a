import { createHash, timingSafeEqual } from 'node:crypto';

import type { OperationId } from '@aftermeet/contract';
import { z } from 'zod';

import { answerError, type ServiceAnswer } from './service-answer.ts';
import type { ServiceOptions, ServiceOptionStore } from './service-options.ts';
import { createCell, type Store } from './store.ts';

/** The plans of the specification, and `none` for a workspace without one. */
export const planNames = ['none', 'lite', 'pro', 'business'] as const;

const planSchema = z
  .object({
    name: z.enum(planNames),
    /** Of recorded meetings; null: not counted. */
    minutesLeft: z.int().min(0).nullable(),
  })
  .readonly();

export type Plan = z.infer<typeof planSchema>;

const firstPlan: Plan = { name: 'business', minutesLeft: null };

/** The key and the plan of the workspace. */
export interface Account {
  /** The plain key, if it is known: only the hash of a key that an earlier process made is stored. */
  readonly key: () => string | undefined;
  readonly isRightKey: (given: string | undefined) => boolean;
  /** Makes the old key invalid at once. Without a key, a new one is made. Throws `RangeError` for one that no header can carry. */
  readonly changeKey: (key?: string) => string;
  /** Counts a call against the rate limit; returns the seconds to wait when it is one too many. */
  readonly countCall: () => number | undefined;
  readonly plan: () => Plan;
  readonly changePlan: (plan: Plan) => void;
  /** Subtracts the minutes of a meeting, where they are counted. */
  readonly useMinutes: (minutes: number) => void;
  readonly reset: () => void;
}

export interface AccountSettings {
  /** Wins over a saved key; not empty. Without it, the saved one stays valid, or it is `sandbox_key`. */
  readonly givenKey: string | undefined;
  readonly makeId: () => string;
  /** The time of the sandbox, Unix milliseconds. */
  readonly now: () => number;
  readonly options: Pick<ServiceOptionStore, 'get'>;
  readonly store: Store;
}

const DEFAULT_KEY = 'sandbox_key';

export const keyPattern = /^[!-~]{1,200}$/;

export function createAccount({ givenKey, makeId, now, options, store }: AccountSettings): Account {
  const firstKey = givenKey ?? DEFAULT_KEY;
  const keyHash = createCell(store, 'key', z.string().regex(/^[0-9a-f]{64}$/), hashKey(DEFAULT_KEY));
  const plan = createCell(store, 'plan', planSchema, firstPlan);
  const limiter = createRateLimiter(now);
  let plainKey = isSameKey(firstKey, keyHash.get()) ? firstKey : undefined;
  if (givenKey !== undefined && plainKey === undefined) useKey(givenKey);

  function useKey(next: string): void {
    keyHash.set(hashKey(next));
    plainKey = next;
  }

  return {
    key: () => plainKey,
    isRightKey: (given) => isSameKey(given ?? '', keyHash.get()),
    changeKey(wanted = `sandbox_${makeId().replaceAll('-', '')}`) {
      if (!keyPattern.test(wanted)) {
        throw new RangeError('The key must be 1 to 200 visible ASCII characters: a header has to carry it.');
      }
      useKey(wanted);
      return wanted;
    },
    countCall: () => limiter.count(options.get().rateLimit),
    plan: plan.get,
    changePlan: plan.set,
    useMinutes(minutes) {
      const { minutesLeft } = plan.get();
      if (minutesLeft !== null) {
        plan.set({ ...plan.get(), minutesLeft: Math.max(0, minutesLeft - minutes) });
      }
    },
    reset() {
      useKey(firstKey);
      plan.reset();
      limiter.reset();
    },
  };
}

/** Only this is saved of a key. */
function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Takes the same time for every key. */
function isSameKey(given: string, hash: string): boolean {
  return timingSafeEqual(Buffer.from(hashKey(given)), Buffer.from(hash));
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
