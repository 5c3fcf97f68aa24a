import type { IncomingMessage } from 'node:http';

import { describe, expect, it } from 'vitest';

import { createPeerNamer } from './peer-name.ts';

function nameOf(remoteAddress: string, forwarded?: string, trusted: readonly string[] = []): string {
  // Only these two are read.
  const request = { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } };
  return createPeerNamer(trusted)(request as unknown as IncomingMessage);
}

describe('createPeerNamer', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::ffff:cb00:7109', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:DB8::9', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', 'unknown'],
  ])('names %s as %s', (address, name) => {
    expect(nameOf(address)).toBe(name);
  });

  it('believes no header without trusted proxies, nor from a peer that is none', () => {
    expect(nameOf('10.0.0.1', '203.0.113.9')).toBe('10.0.0.1');
    expect(nameOf('198.51.100.1', '203.0.113.9', ['10.0.0.0/8'])).toBe('198.51.100.1');
  });

  it.each([
    ['203.0.113.9', '203.0.113.9'],
    // What stands left of the first stranger was written by that stranger.
    ['1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['203.0.113.9, 10.0.0.7', '203.0.113.9'],
    ['203.0.113.9, ::ffff:10.0.0.7', '203.0.113.9'],
    ['203.0.113.9:4711', '203.0.113.9'],
    ['[2001:db8::9]:4711', '2001:db8:0:0::/64'],
    ['203.0.113.9, garbage, 10.0.0.7', '10.0.0.7'],
    ['203.0.113.9,', '10.0.0.1'],
    ['010.0.0.1', '10.0.0.1'],
    ['', '10.0.0.1'],
    ['10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ])('walks %j from the right to %s', (forwarded, name) => {
    expect(nameOf('::ffff:10.0.0.1', forwarded, ['10.0.0.0/8'])).toBe(name);
  });

  it('takes single addresses and IPv6 ranges as proxies', () => {
    expect(nameOf('2001:db8::1', '203.0.113.9', ['2001:db8::/32'])).toBe('203.0.113.9');
    expect(nameOf('127.0.0.1', '203.0.113.9', ['127.0.0.1'])).toBe('203.0.113.9');
    expect(nameOf('127.0.0.2', '203.0.113.9', ['127.0.0.1'])).toBe('127.0.0.2');
  });

  it.each(['', 'localhost', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/0', '::/129', '1.2.3.4:80', '10.0.0'])(
    'refuses %j as a proxy',
    (range) => {
      expect(() => createPeerNamer([range])).toThrow(RangeError);
    },
  );
});
