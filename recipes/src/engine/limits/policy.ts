import type { EffectDestination } from '@aftermeet/queue';

import type { DestinationName } from '../destinations.ts';

/** How a destination is treated. Times are milliseconds. */
export interface DeliveryPolicy {
  /** Between two effects of one rateLimit; 0: as fast as it goes. */
  readonly gapMs: number;
  /** How many effects of it one worker has under way at once. */
  readonly concurrency: number;
  /** How long one call may take; a mail server that has the mail gets five times as long to say so. */
  readonly timeoutMs: number;
  /** The first wait after a failure that may pass, and the longest: they double in between. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
  /** How long the same thing may stand in an effect's way. */
  readonly patienceMs: number;
  /** How long after an unclear attempt the destination is asked about it. */
  readonly graceMs: number;
  /** How often it is asked before a person has to settle it. */
  readonly maxProbes: number;
  /** For destinations without lookup: send once more, or leave it to a person. */
  readonly whenUntraceable: 'resend' | 'hold';
  /** After so many failures in a row nothing is sent for a while, then one effect tries. */
  readonly circuit: {
    readonly failures: number;
    readonly firstOpenMs: number;
    readonly longestOpenMs: number;
  };
}

export type DeliveryPolicies = Readonly<Record<EffectDestination, DeliveryPolicy>>;

/** What an installation sets for a destination; undefined keeps the default. */
export type PolicyChange = { readonly [Key in keyof DeliveryPolicy]?: DeliveryPolicy[Key] | undefined };

export type PolicyChanges = { readonly [Name in DestinationName]?: PolicyChange | undefined };

const second = 1000;
const minute = 60 * second;
const day = 24 * 60 * minute;

const usual: DeliveryPolicy = {
  gapMs: 0,
  concurrency: 16,
  timeoutMs: 10 * second,
  firstWaitMs: 5 * second,
  longestWaitMs: 15 * minute,
  // Long enough for an outage that begins on a Friday evening and is mended on Monday.
  patienceMs: 3 * day,
  graceMs: 15 * second,
  maxProbes: 10,
  whenUntraceable: 'resend',
  circuit: { failures: 5, firstOpenMs: 10 * second, longestOpenMs: 5 * minute },
};

/**
 * Slack takes about one message a second in a channel (docs.slack.dev, Rate limits), Notion 180 requests a minute
 * over a connection (developers.notion.com, Request limits), a mail server what it likes.
 */
export const defaultPolicies: DeliveryPolicies = {
  slack: { ...usual, gapMs: second },
  notion: { ...usual, gapMs: 400, graceMs: 30 * second },
  email: { ...usual, concurrency: 8 },
  http: { ...usual, concurrency: 8 },
  // What an export takes: the service writes it while it is read.
  folder: { ...usual, concurrency: 2, timeoutMs: 60 * second },
  // Jobs of an earlier release; they end without a call.
  service: usual,
};

/** The default policies with an installation's changes. */
export function settlePolicies(changes: PolicyChanges = {}): DeliveryPolicies {
  return {
    slack: changePolicy(defaultPolicies.slack, changes.slack),
    notion: changePolicy(defaultPolicies.notion, changes.notion),
    email: changePolicy(defaultPolicies.email, changes.email),
    http: changePolicy(defaultPolicies.http, changes.http),
    folder: changePolicy(defaultPolicies.folder, changes.folder),
    service: defaultPolicies.service,
  };
}

function changePolicy(policy: DeliveryPolicy, change: PolicyChange = {}): DeliveryPolicy {
  return {
    gapMs: change.gapMs ?? policy.gapMs,
    concurrency: change.concurrency ?? policy.concurrency,
    timeoutMs: change.timeoutMs ?? policy.timeoutMs,
    firstWaitMs: change.firstWaitMs ?? policy.firstWaitMs,
    longestWaitMs: change.longestWaitMs ?? policy.longestWaitMs,
    patienceMs: change.patienceMs ?? policy.patienceMs,
    graceMs: change.graceMs ?? policy.graceMs,
    maxProbes: change.maxProbes ?? policy.maxProbes,
    whenUntraceable: change.whenUntraceable ?? policy.whenUntraceable,
    circuit: change.circuit ?? policy.circuit,
  };
}
