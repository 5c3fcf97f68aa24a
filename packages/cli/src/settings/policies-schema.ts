import type { PolicyChanges } from '@aftermeet/recipes';
import { z } from 'zod';

import { dropAbsent } from '../drop-absent.ts';
import { durationSetting, wholeSetting } from './setting-shapes.ts';

const minuteMs = 60 * 1000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const shared = {
  /** Between two effects of one lane: a Slack channel, the Notion connection, any other destination as a whole. */
  gap: durationSetting(0, hourMs).optional(),
  /** How many effects of it one worker has under way. */
  places: wholeSetting(1, 1000).optional(),
  /** How long one call may take; a worker that stops waits for the longest of them. */
  timeout: durationSetting(1000, 20_000).optional(),
  first_wait: durationSetting(100, dayMs).optional(),
  longest_wait: durationSetting(100, dayMs).optional(),
  /** How long the same thing may stand in its way: less than the ledger remembers. */
  patience: durationSetting(1000, 30 * dayMs).optional(),
  /** A call may begin some seconds after its claim: a grace of nothing would let somebody look meanwhile. */
  grace: durationSetting(5000, hourMs).optional(),
  probes: wholeSetting(1, 1000).optional(),
};

const untraceable = {
  when_untraceable: z.enum(['resend', 'hold'], { error: 'resend or hold' }).optional(),
};

/** That of every destination. */
const usualLongestWait = 15 * minuteMs;

/** A first wait beyond the longest would be cut to it, without a word. */
const waitsInOrder = {
  check: ({
    first_wait: first = 0,
    longest_wait: longest,
  }: {
    readonly first_wait?: number | undefined;
    readonly longest_wait?: number | undefined;
  }): boolean => first <= (longest ?? usualLongestWait),
  problem: { path: ['longest_wait'], error: 'as much as first_wait, at least; 15m where it is left out' },
};

const asUsual = z.strictObject(shared).refine(waitsInOrder.check, waitsInOrder.problem).optional();

/** Where nobody can be asked whether something has arrived. */
const unasked = { ...shared, ...untraceable };
const withoutTrace = z.strictObject(unasked).refine(waitsInOrder.check, waitsInOrder.problem).optional();

/** An export is written while it is read: that takes longer than a message. */
const slow = { ...shared, timeout: durationSetting(1000, 10 * minuteMs).optional() };

/** `destinations:` of the settings file: how each destination is treated, where not as usual. */
export const policiesSchema = z.strictObject({
  slack: asUsual,
  notion: asUsual,
  email: withoutTrace,
  http: withoutTrace,
  folder: z.strictObject(slow).refine(waitsInOrder.check, waitsInOrder.problem).optional(),
  service: z.strictObject(slow).refine(waitsInOrder.check, waitsInOrder.problem).optional(),
});

type FilePolicies = z.infer<typeof policiesSchema>;
type FilePolicy = NonNullable<FilePolicies['email']>;

const untraced: ReadonlySet<PropertyKey> = new Set(['email', 'http']);

/** The keys that may stand in `destinations`, or below one of them. */
export function destinationKeys(name: PropertyKey | undefined): readonly string[] {
  if (name === undefined) return Object.keys(policiesSchema.shape);
  return Object.keys(untraced.has(name) ? unasked : shared);
}

/** The same in the words of the recipes; times become milliseconds. */
export function readPolicies(file: FilePolicies = {}): PolicyChanges {
  return dropAbsent({
    slack: file.slack && readPolicy(file.slack),
    notion: file.notion && readPolicy(file.notion),
    email: file.email && readPolicy(file.email),
    http: file.http && readPolicy(file.http),
    folder: file.folder && readPolicy(file.folder),
    service: file.service && readPolicy(file.service),
  });
}

function readPolicy(policy: FilePolicy): NonNullable<PolicyChanges['email']> {
  return dropAbsent({
    gapMs: policy.gap,
    places: policy.places,
    timeoutMs: policy.timeout,
    firstWaitMs: policy.first_wait,
    longestWaitMs: policy.longest_wait,
    patienceMs: policy.patience,
    graceMs: policy.grace,
    mostProbes: policy.probes,
    whenUntraceable: policy.when_untraceable,
  });
}
