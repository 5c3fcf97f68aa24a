import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

import ipaddr from 'ipaddr.js';

import type { NotSent } from '../../engine/prepared-send.ts';

/** All addresses of a host name. Rejects as `dns.lookup` does. */
export type ResolveHost = (host: string) => Promise<readonly LookupAddress[]>;

/** As every other program of this machine resolves names. */
export const resolveHost: ResolveHost = (host) => lookup(host, { all: true });

interface GuardRules {
  readonly isPrivateAllowed: boolean;
  readonly resolve: ResolveHost;
  readonly timeoutMs: number;
}

type GuardedAddress = { readonly result: 'allowed'; readonly addresses: readonly LookupAddress[] } | NotSent;

/**
 * The addresses that a request may connect to. It connects to these and to no others, so a name that resolves differently a
 * moment later changes nothing. One address that is not allowed refuses all of them.
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

/** The system's own resolver cannot be stopped; the wait for it ends after `timeoutMs`. */
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

/**
 * `private`: this machine or its own network, which may be meant. `special`: never sent to, such as multicast, or an
 * address that answers with the secrets of the machine.
 */
type AddressKind = 'public' | 'private' | 'special';

/**
 * What the library counts as public or private: services that give a machine its secrets in the clouds of Alibaba, Azure,
 * Amazon, Google, Oracle, Scaleway and Akamai, then benchmarking, documentation and Teredo's neighbours. The services in
 * 169.254.0.0/16 need no line, because nothing is sent to any link-local address.
 */
const neverSentTo = [
  '100.100.100.200/32',
  '168.63.129.16/32',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  'fd00:c1::a9fe:a9fe/128',
  'fd00:42::42/128',
  'fd00:a9fe:a9fe::1/128',
  '198.18.0.0/15',
  '2001::/23',
  '3fff::/20',
].map((range) => ipaddr.parseCIDR(range));

/** The only range of IPv6 that is given out. */
const publicIpv6 = ipaddr.parseCIDR('2000::/3');
const privateRanges: readonly string[] = ['loopback', 'private', 'carrierGradeNat', 'uniqueLocal'];

/** What an address is, whatever its spelling. What is no address is `special`. */
export function findAddressKind(text: string): AddressKind {
  // A zone (`fe80::1%eth0`) is no part of the address.
  const bare = text.split('%', 1)[0] ?? '';
  if (isIP(bare) === 0) return 'special';
  const address = ipaddr.parse(bare);
  const isIn = ([net, bits]: readonly [ipaddr.IPv4 | ipaddr.IPv6, number]): boolean =>
    net.kind() === address.kind() && address.match(net, bits);
  if (neverSentTo.some(isIn)) return 'special';
  const range = address.range();
  if (privateRanges.includes(range)) return 'private';
  // How a network that has IPv6 alone names public IPv4 addresses (RFC 6052, 2.1 and 3.1).
  if (range === 'rfc6052') {
    return findAddressKind(address.toByteArray().slice(12).join('.')) === 'public' ? 'public' : 'special';
  }
  return range === 'unicast' && (address.kind() === 'ipv4' || isIn(publicIpv6)) ? 'public' : 'special';
}

/** The code of a network error, such as `ECONNREFUSED`. Its message can hold an address and is not used. */
export function readErrorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : 'unknown';
}
