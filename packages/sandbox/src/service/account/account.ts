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
  /** Not empty. */
  readonly firstKey: string;
  readonly makeId: () => string;
  /** The sandbox's time, Unix milliseconds. */
  readonly now: () => number;
  readonly knobs: Pick<KnobStore, 'read'>;
  readonly journal: Journal;
}

/** `firstHash` tells whether the sandbox was started with the same key again: a new one makes what was changed before it obsolete. */
const keySchema = z
  .object({ firstHash: z.string(), hash: z.string().regex(/^[0-9a-f]{64}$/), sinceMs: z.number() })
  .readonly();

export const keyPattern = /^[!-~]{1,200}$/;

/** Throws `DataFolderError` when the journal holds what no account can have. */
export function createAccount({ firstKey, makeId, now, knobs, journal }: AccountSettings): Account {
  const firstHash = hashApiKey(firstKey);
  const makeFirst = (): z.infer<typeof keySchema> => ({ firstHash, hash: firstHash, sinceMs: now() });
  const key = createKept(journal, 'key', keySchema, makeFirst());
  if (key.read().firstHash !== firstHash) key.write(makeFirst());
  const limiter = createRateLimiter(now);
  const plan = createKept(journal, 'plan', planSchema, firstPlan);
  return {
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
      key.write({ firstHash, hash: hashApiKey(wanted), sinceMs: now() });
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
      key.write(makeFirst());
      plan.reset();
      limiter.reset();
    },
  };
}
