import type { Destinations } from '../destinations/settings.ts';
import type { PlannedEffect } from '../engine/recipe.ts';

/** One message to the channel of the recipe, or to the configured one. */
export function planChannel(channel: string | undefined, { slack }: Destinations): readonly PlannedEffect[] {
  return planOne(slack === undefined ? undefined : (channel ?? slack.channel));
}

/** One page in the data source of the recipe, or in the configured one. */
export function planDataSource(
  dataSourceId: string | undefined,
  { notion }: Destinations,
): readonly PlannedEffect[] {
  return planOne(notion === undefined ? undefined : (dataSourceId ?? notion.dataSourceId));
}

/** One effect for each recipient, so that one failing mail does not affect the others. */
export function planRecipients(
  recipients: readonly string[] | undefined,
  { email }: Destinations,
): readonly PlannedEffect[] {
  const addresses = new Map<string, string>();
  for (const address of email === undefined ? [] : (recipients ?? email.to)) {
    // Addresses that differ in case only are one recipient.
    if (!addresses.has(address.toLowerCase())) addresses.set(address.toLowerCase(), address);
  }
  return [...addresses.values()].map((target) => ({ target, part: 0 }));
}

/** A recipe without a target does not run: `checkConfiguredRecipe` says so. */
function planOne(target: string | undefined): readonly PlannedEffect[] {
  return target === undefined ? [] : [{ target, part: 0 }];
}
