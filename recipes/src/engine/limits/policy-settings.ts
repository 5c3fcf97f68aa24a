import { parseDuration } from '@aftermeet/contract';
import { z } from 'zod';

import { DEFAULT_POLICY, type PolicyChange } from './policy.ts';

/** How a destination is treated, as `aftermeet.yaml` writes it. */
const shape = {
  gap: durationSetting('0s', '1h')
    .optional()
    .describe('Minimum time between two effects that share a rate limit.'),
  concurrency: whole(1, 1000).describe('Maximum number of effects that one worker sends at a time.'),
  timeout: durationSetting('1s', '10m')
    .optional()
    .describe('Timeout of one call; a stopping worker waits for the longest of them.'),
  first_wait: durationSetting('100ms', '1d')
    .optional()
    .describe('How long the first retry waits; each next one waits twice as long.'),
  max_wait: durationSetting('100ms', '1d').optional().describe('The longest wait between two retries.'),
  patience: durationSetting('1s', '30d')
    .optional()
    .describe('How long retries for the same cause may go on: less than the ledger remembers.'),
  grace: durationSetting('5s', '1h')
    .optional()
    .describe('Time from a claim to the first probe: a call may begin some seconds after its claim.'),
  max_probes: whole(1, 1000).describe('Number of probes after which a person has to settle it.'),
  when_untraceable: z
    .enum(['resend', 'hold'], { error: 'resend or hold' })
    .optional()
    .describe('For a destination that cannot be asked whether something arrived.'),
};

const policySchema = z.strictObject(shape);

export type PolicySettings = z.input<typeof policySchema>;

/** The keys of `destinations.NAME` in `aftermeet.yaml` that are not settings of the destination itself. */
export const policyKeys: readonly string[] = Object.keys(shape);

interface PolicyLimits {
  /** The longest possible timeout. Milliseconds. Default: 20 seconds. */
  readonly maxTimeoutMs?: number | undefined;
  /** Whether it can be asked if something arrived: then `when_untraceable` is not known. */
  readonly isTraceable: boolean;
}

const DEFAULT_MAX_TIMEOUT_MS = 20_000;

/** The schema of `destinations.NAME` for one destination; it gives the policy's changes. */
export function policySettings({ maxTimeoutMs = DEFAULT_MAX_TIMEOUT_MS, isTraceable }: PolicyLimits) {
  const { when_untraceable: whenUntraceable, ...others } = shape;
  const known = isTraceable
    ? z.strictObject(others)
    : z.strictObject({ ...others, when_untraceable: whenUntraceable });
  return known
    .refine(({ timeout = 0 }) => timeout <= maxTimeoutMs, {
      path: ['timeout'],
      error: `a time of ${maxTimeoutMs / 1000}s at most`,
    })
    .refine(({ first_wait: first = 0, max_wait: max = DEFAULT_POLICY.maxWaitMs }) => first <= max, {
      path: ['max_wait'],
      error: 'as much as first_wait, at least; 15m where it is left out',
    })
    .transform(toPolicyChange);
}

function toPolicyChange(policy: z.output<typeof policySchema>): PolicyChange {
  return {
    gapMs: policy.gap,
    concurrency: policy.concurrency,
    timeoutMs: policy.timeout,
    firstWaitMs: policy.first_wait,
    maxWaitMs: policy.max_wait,
    patienceMs: policy.patience,
    graceMs: policy.grace,
    maxProbes: policy.max_probes,
    whenUntraceable: policy.when_untraceable,
  };
}

/** A duration from `min` to `max`, which are durations too; in milliseconds. */
export function durationSetting(min: string, max: string) {
  const [minMs = 0, maxMs = 0] = [parseDuration(min), parseDuration(max)];
  const error = `a time such as 400ms, 90s, 15m or 2d, from ${min} to ${max}`;
  return z
    .union([z.string(), z.number()], { error })
    .transform((value) => parseDuration(String(value)) ?? Number.NaN)
    .refine((ms) => ms >= minMs && ms <= maxMs, { error });
}

/** A whole number; as text if it comes from a variable. */
function whole(min: number, max: number) {
  const error = `a whole number from ${min} to ${max}`;
  return z
    .union([z.string().regex(/^\d{1,9}$/), z.number().int()], { error })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error })
    .optional();
}
