import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * `private`: this machine or its own network, which somebody may mean. `special`: nobody's address, such as multicast,
 * or one that answers with the secrets of the machine.
 */
export type AddressKind = 'public' | 'private' | 'special';

type Range = readonly [net: string, prefix: number];

/** RFC 1122 (loopback), RFC 1918, RFC 6598 (carriers, and private networks over the internet), RFC 4193. */
const privateRanges: readonly Range[] = [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['::1', 128],
  ['fc00::', 7],
];

/**
 * The registries of special-purpose addresses (iana.org, iana-ipv4-special-registry and iana-ipv6-special-registry),
 * and the addresses at which clouds tell their machines secrets.
 */
const specialRanges: readonly Range[] = [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
  // Teredo and its neighbours, documentation, 6to4: each can lead to a private address behind it.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

/**
 * How a network that has IPv6 alone names the IPv4 addresses outside (RFC 6052, 2.1). It must hold none of its own
 * (3.1): what would lead to one is nobody's.
 */
const translated: Range = ['64:ff9b::', 96];
const mistranslated = [...privateRanges, ...specialRanges]
  .filter(([net]) => isIPv4(net))
  .map(([net, prefix]): Range => [`64:ff9b::${net}`, 96 + prefix]);

const privateList = listRanges(privateRanges);
const specialList = listRanges([...specialRanges, ...mistranslated]);
/** Nothing else of IPv6 is given out: that leaves out mapped addresses, link-local and multicast at once. */
const givenOut = listRanges([['2000::', 3], translated]);

/** What an address is, whatever its spelling. What is no address is `special`. */
export function findAddressKind(address: string): AddressKind {
  // A zone (`fe80::1%eth0`) is no part of the address.
  const bare = address.split('%', 1)[0] ?? '';
  const family = isIPv4(bare) ? 'ipv4' : isIPv6(bare) ? 'ipv6' : undefined;
  if (family === undefined) return 'special';
  // A list compares a mapped address by the IPv4 address within.
  if (family === 'ipv6' && /^[0:]*:ffff:[^:]*[.:]/i.test(bare)) return 'special';
  if (specialList.check(bare, family)) return 'special';
  if (privateList.check(bare, family)) return 'private';
  return family === 'ipv4' || givenOut.check(bare, family) ? 'public' : 'special';
}

function listRanges(ranges: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of ranges) list.addSubnet(net, prefix, isIPv4(net) ? 'ipv4' : 'ipv6');
  return list;
}
