import type { EffectJob } from '@aftermeet/queue';

import { hashTarget } from './effect-key.ts';
import type { Lane } from './pace/lanes.ts';
import type { DeliveryPolicies } from './pace/policy.ts';
import { slackChannelId } from './slack/slack-channel-id.ts';

/** A row asks whether it is there already, and leaves room for the pages of other meetings. */
const rowGaps = 3;

/**
 * What of a destination shares a limit: one Slack channel, one Notion connection, one mail server, one
 * address that is posted to. The rows of a report's
 * tasks have a line of their own, so that a meeting of hundreds of tasks does not stand before everybody's pages. An
 * address is nobody's business here: a person's lane is named by a hash.
 */
export function describeLane(
  { destination, target, item }: Pick<EffectJob, 'destination' | 'target' | 'item'>,
  policies: DeliveryPolicies,
): Lane {
  const { gapMs } = policies[destination];
  if (destination === 'notion' && item !== undefined) return { name: 'notion rows', gapMs: rowGaps * gapMs };
  // Its host and a hash.
  if (destination === 'http') return { name: `http ${target}`, gapMs };
  if (destination !== 'slack') return { name: destination, gapMs };
  return { name: `slack ${slackChannelId.test(target) ? target : hashTarget(target)}`, gapMs };
}
