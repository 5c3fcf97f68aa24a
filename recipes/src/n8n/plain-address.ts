import type { Order } from './order.ts';

/**
 * An address of the settings as it may stand in a workflow: a user, a password, a query and a fragment are dropped, and
 * the notes say so. Without a slash at its end, since paths are put behind it. Throws on what is no address: settings were checked before.
 */
export function plainAddress({ notes }: Pick<Order, 'notes'>, name: string, address: string): string {
  const { username, password, search, hash, origin, pathname } = new URL(address);
  if ([username, password, search, hash].some((part) => part !== '')) {
    notes.push(
      `The address of the settings for \`${name}\` has a user, a password or a query in it, which a workflow must not hold: they are dropped, and n8n does not send them.`,
    );
  }
  return `${origin}${pathname}`.replace(/\/+$/, '');
}
