import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, SocketAddress } from 'node:net';

/** The name against which refusals of a request are counted. */
export type NamePeer = (request: IncomingMessage) => string;

/** Whether the connection of a request comes from one of these proxies. Throws `RangeError` on an invalid range. */
export function createProxyCheck(trustedProxies: readonly string[]): (request: IncomingMessage) => boolean {
  const trusted = readRanges(trustedProxies);
  return ({ socket }) => {
    const peer = readAddress(socket.remoteAddress ?? '');
    return peer !== undefined && trusted.check(peer.text, peer.family);
  };
}

interface PlainAddress {
  readonly text: string;
  readonly family: 'ipv4' | 'ipv6';
}

const mappedPattern = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const withPort = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([0-9a-f:.]+)\]):\d{1,5}$/i;

/**
 * Names the peer of a request: its IPv4 address, or the /64 of its IPv6 address, which is what one customer gets.
 * `X-Forwarded-For` is read from the right as long as the address before belongs to `trustedProxies` (addresses or CIDR
 * ranges); entries further left can be forged. An entry that is no address ends the walk. Throws `RangeError` on an
 * invalid range.
 */
export function createPeerNamer(trustedProxies: readonly string[]): NamePeer {
  const trusted = readRanges(trustedProxies);
  const isTrusted = ({ text, family }: PlainAddress): boolean => trusted.check(text, family);

  return (request) => {
    let peer = readAddress(request.socket.remoteAddress ?? '');
    if (peer === undefined) return 'unknown';
    const forwarded = request.headers['x-forwarded-for'];
    if (trustedProxies.length > 0 && typeof forwarded === 'string') {
      const entries = forwarded.split(',');
      while (isTrusted(peer)) {
        const next = readAddress(entries.pop()?.trim() ?? '');
        if (next === undefined) break;
        peer = next;
      }
    }
    return peer.family === 'ipv4' ? peer.text : networkOf(peer.text);
  };
}

function readRanges(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [, base = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(range) ?? [];
    const address = readAddress(base);
    const width = address?.family === 'ipv4' ? 32 : 128;
    const prefix = bits === undefined ? width : Number(bits);
    if (address === undefined || isIP(base) === 0 || prefix > width || prefix < 1) {
      throw new RangeError(
        `A trusted proxy must be an address or a range such as 10.0.0.0/8, found ${range}.`,
      );
    }
    list.addSubnet(address.text, prefix, address.family);
  }
  return list;
}

/** One spelling per address: without a port, and IPv4-mapped IPv6 as IPv4. */
function readAddress(text: string): PlainAddress | undefined {
  const [, bare, bracketed] = withPort.exec(text) ?? [];
  const host = bare ?? bracketed ?? text;
  const version = isIP(host);
  if (version === 0) return undefined;
  if (version === 4) return { text: host, family: 'ipv4' };
  // A zone (`fe80::1%eth0`) names a local interface, not the peer.
  const { address } = new SocketAddress({ address: host.replace(/%.*$/, ''), family: 'ipv6' });
  const mapped = mappedPattern.exec(address)?.[1];
  return mapped === undefined ? { text: address, family: 'ipv6' } : { text: mapped, family: 'ipv4' };
}

/** The first 64 bits of an IPv6 address, as four groups. */
function networkOf(address: string): string {
  const [before = '', after] = address.split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const zeros = after === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array.from({ length: zeros }, () => '0'), ...tail];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
