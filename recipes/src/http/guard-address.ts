import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

import type { NotSent } from '../shipment.ts';
import { findAddressKind } from './address-kind.ts';
import { readErrorCode } from './read-error-code.ts';

/** All addresses of a host name. Rejects as `dns.lookup` does. */
export type ResolveHost = (host: string) => Promise<readonly LookupAddress[]>;

/** As every other program of this machine resolves names. */
export const resolveHost: ResolveHost = (host) => lookup(host, { all: true });

export interface GuardRules {
  readonly isPrivateAllowed: boolean;
  readonly resolve: ResolveHost;
  readonly timeoutMs: number;
}

export type GuardedAddress =
  | { readonly result: 'allowed'; readonly addresses: readonly LookupAddress[] }
  | NotSent;

/**
 * The addresses that a request may connect to: those and no others, so that a name that leads elsewhere a moment later
 * changes nothing. One address that is not allowed refuses all of them.
 */
export async function guardAddress(url: URL, rules: GuardRules): Promise<GuardedAddress> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(host);
  let addresses: readonly LookupAddress[];
  try {
    addresses = family === 0 ? await resolveInTime(host, rules) : [{ address: host, family }];
  } catch (error) {
    const cause = `the name of the address cannot be resolved (${readErrorCode(error)})`;
    return { result: 'not_sent_retry', cause, contact: 'none' };
  }
  if (addresses.length === 0) {
    return { result: 'not_sent_retry', cause: 'the name of the address has no address', contact: 'none' };
  }
  const cause = explainRefusal(url, addresses, rules);
  return cause === undefined
    ? { result: 'allowed', addresses }
    : { result: 'permanent', cause, contact: 'none' };
}

function explainRefusal(
  { protocol }: URL,
  addresses: readonly LookupAddress[],
  { isPrivateAllowed }: GuardRules,
): string | undefined {
  const kinds = new Set(addresses.map(({ address }) => findAddressKind(address)));
  if (kinds.has('special')) return 'the address leads to a special network address, which is never sent to';
  if (kinds.has('private') && !isPrivateAllowed) {
    return 'the address leads to this machine or into a private network: say allow: private if that is meant';
  }
  if (kinds.has('public') && protocol !== 'https:') {
    return 'the address leads out of the private network: it must start with https://';
  }
  return undefined;
}

/** The system's own resolver can't be stopped, but needs not be waited for. */
async function resolveInTime(
  host: string,
  { resolve, timeoutMs }: GuardRules,
): Promise<readonly LookupAddress[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' })), timeoutMs);
  });
  try {
    return await Promise.race([resolve(host), late]);
  } finally {
    clearTimeout(timer);
  }
}
