import { z } from 'zod';

import type { KnobStore } from '../knobs/knob-store.ts';
import type { Journal } from '../state/journal.ts';
import { createKept } from '../state/kept.ts';
import { hashApiKey, isRightApiKey } from './check-api-key.ts';
import { firstPlan, planSchema, type Plan } from './plan.ts';
import { createRateLimiter } from './rate-limiter.ts';

/** What a key is worth: `expired` is said of the right one only. */
export type KeyVerdict = 'right' | 'wrong' | 'expired';

/** The workspace's key and plan. */
export interface Account {
  /** The plain key, while it is known here: of one that an earlier process made, only the hash is kept. */
  readonly key: () => string | undefined;
  readonly judgeKey: (given: string | undefined) => KeyVerdict;
  /** The old key is invalid at once. Without a key, a new one is made. Throws `RangeError` for one that no header can carry. */
  readonly changeKey: (key?: string) => string;
  /** Counts a call against the rate limit; the seconds to wait, when it is one too many. */
  readonly countCall: () => number | undefined;
  readonly plan: () => Plan;
  readonly changePlan: (plan: Plan) => void;
  /** Takes the minutes of a meeting off those that are left, where they are counted. */
  readonly useMinutes: (minutes: number) => void;
  readonly reset: () => void;
}

export interface AccountSettings {
  /** Wins over a kept key; not empty. Without it, the kept one stays valid, or it is `sandbox_key`. */
  readonly givenKey: string | undefined;
  readonly makeId: () => string;
  /** The sandbox's time, Unix milliseconds. */
  readonly now: () => number;
  readonly knobs: Pick<KnobStore, 'read'>;
  readonly journal: Journal;
}

const usualKey = 'sandbox_key';

const keySchema = z.object({ hash: z.string().regex(/^[0-9a-f]{64}$/), sinceMs: z.number() }).readonly();

export const keyPattern = /^[!-~]{1,200}$/;

/** Throws `DataFolderError` when the journal holds what no account can have. */
export function createAccount({ givenKey, makeId, now, knobs, journal }: AccountSettings): Account {
  const makeEntry = (of: string): z.infer<typeof keySchema> => ({ hash: hashApiKey(of), sinceMs: now() });
  const key = createKept(journal, 'key', keySchema, makeEntry(usualKey));
  const firstKey = givenKey ?? usualKey;
  let plainKey = isRightApiKey(firstKey, key.read().hash) ? firstKey : undefined;
  if (givenKey !== undefined && plainKey === undefined) useKey(givenKey);

  function useKey(next: string): void {
    key.write(makeEntry(next));
    plainKey = next;
  }

  const limiter = createRateLimiter(now);
  const plan = createKept(journal, 'plan', planSchema, firstPlan);
  return {
    key: () => plainKey,
    judgeKey(given) {
      const { hash, sinceMs } = key.read();
      if (!isRightApiKey(given, hash)) return 'wrong';
      const { keyLifetimeSeconds } = knobs.read();
      const isOver = keyLifetimeSeconds !== null && now() - sinceMs >= keyLifetimeSeconds * 1000;
      return isOver ? 'expired' : 'right';
    },
    changeKey(wanted = `sandbox_${makeId().replaceAll('-', '')}`) {
      if (!keyPattern.test(wanted)) {
        throw new RangeError('The key must be 1 to 200 visible ASCII characters: a header has to carry it.');
      }
      useKey(wanted);
      return wanted;
    },
    countCall: () => limiter.take(knobs.read().rateLimit),
    plan: plan.read,
    changePlan: plan.write,
    useMinutes(minutes) {
      const { minutesLeft } = plan.read();
      if (minutesLeft === null) return;
      plan.write({ ...plan.read(), minutesLeft: Math.max(0, minutesLeft - minutes) });
    },
    reset() {
      useKey(firstKey);
      plan.reset();
      limiter.reset();
    },
  };
}
