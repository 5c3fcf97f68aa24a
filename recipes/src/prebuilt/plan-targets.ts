import type { Destinations } from '../destinations.ts';
import type { PlannedEffect } from '../recipe.ts';

/** One message to the named channel, else to the configured one. */
export function planChannel(channel: string | undefined, { slack }: Destinations): readonly PlannedEffect[] {
  return slack === undefined ? [] : [{ target: channel ?? slack.channel, part: 0 }];
}

/** One page in the named data source, else in the configured one. */
export function planDataSource(
  dataSourceId: string | undefined,
  { notion }: Destinations,
): readonly PlannedEffect[] {
  return notion === undefined ? [] : [{ target: dataSourceId ?? notion.dataSourceId, part: 0 }];
}

/** One mail for each recipient, so that each one is sent once whatever becomes of the others. */
export function planRecipients(
  recipients: readonly string[] | undefined,
  { mail }: Destinations,
): readonly PlannedEffect[] {
  const addresses = new Map<string, string>();
  for (const address of mail === undefined ? [] : (recipients ?? mail.to)) {
    // Whatever the case of their letters: nobody gets a mail twice for that.
    if (!addresses.has(address.toLowerCase())) addresses.set(address.toLowerCase(), address);
  }
  return [...addresses.values()].map((target) => ({ target, part: 0 }));
}
