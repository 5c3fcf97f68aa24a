/** The metadata of every message that an effect posts is of this type and carries the effect's key. */
export const effectEventType = 'aftermeet_effect';

/** Where a message is, as the ledger keeps it: `C0123456789/1795000000.000100`; a file has its id there. */
export function formatReference(channel: string, ts: string): string {
  return `${channel}/${ts}`;
}

/** Undefined for what is no reference of a Slack message. */
export function readReference(
  reference: string,
): { readonly channel: string; readonly ts: string } | undefined {
  const found = /^([A-Z0-9]{1,40})\/(\d{1,12}\.\d{1,6})$/.exec(reference);
  return found?.[1] === undefined || found[2] === undefined ? undefined : { channel: found[1], ts: found[2] };
}
