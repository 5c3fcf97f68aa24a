import fc from 'fast-check';
import { expect, it } from 'vitest';

import { findAddressKind } from './address-kind.ts';

it.each([
  ['93.184.216.34', 'public'],
  ['1.1.1.1', 'public'],
  ['2606:4700:4700::1111', 'public'],
  ['127.0.0.1', 'private'],
  ['127.255.255.254', 'private'],
  ['10.1.2.3', 'private'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['172.32.0.1', 'public'],
  ['192.168.1.1', 'private'],
  ['100.64.0.1', 'private'],
  ['100.127.255.255', 'private'],
  ['100.128.0.1', 'public'],
  ['::1', 'private'],
  ['fd12:3456::1', 'private'],
  ['0.0.0.0', 'special'],
  ['0.1.2.3', 'special'],
  ['169.254.169.254', 'special'],
  ['100.100.100.200', 'special'],
  ['168.63.129.16', 'special'],
  ['192.0.0.192', 'special'],
  ['192.0.2.1', 'special'],
  ['198.18.0.1', 'special'],
  ['198.51.100.7', 'special'],
  ['203.0.113.9', 'special'],
  ['224.0.0.1', 'special'],
  ['240.0.0.1', 'special'],
  ['255.255.255.255', 'special'],
  ['::', 'special'],
  ['fe80::1', 'special'],
  ['fe80::1%eth0', 'special'],
  ['fec0::1', 'special'],
  ['ff02::1', 'special'],
  ['fd00:ec2::254', 'special'],
  ['::ffff:127.0.0.1', 'special'],
  ['::ffff:7f00:1', 'special'],
  ['0:0:0:0:0:ffff:93.184.216.34', 'special'],
  ['::127.0.0.1', 'special'],
  ['64:ff9b::5db8:d822', 'public'],
  ['0064:FF9B:0:0:0:0:93.184.216.34', 'public'],
  ['64:ff9b::7f00:1', 'special'],
  ['64:ff9b::10.0.0.1', 'special'],
  ['64:ff9b::169.254.169.254', 'special'],
  ['64:ff9b::', 'special'],
  ['64:ff9b::1:5db8:d822', 'special'],
  ['64:ff9b:1::a00:1', 'special'],
  ['2002:7f00:1::', 'special'],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'special'],
  ['2001:db8::1', 'special'],
  ['3fff::1', 'special'],
  ['100::1', 'special'],
  ['5f00::1', 'special'],
  ['', 'special'],
  ['example.com', 'special'],
  ['0x7f.1', 'special'],
  ['127.1', 'special'],
])('takes %j for %s', (address, kind) => {
  expect(findAddressKind(address)).toBe(kind);
});

it('finds no way to the network behind through an address that holds another', () => {
  fc.assert(
    fc.property(fc.ipV4(), (inner) => {
      expect(findAddressKind(`::ffff:${inner}`)).toBe('special');
      const isPublic = findAddressKind(inner) === 'public';
      expect(findAddressKind(`64:ff9b::${inner}`)).toBe(isPublic ? 'public' : 'special');
      expect(findAddressKind(`::${inner}`)).not.toBe('public');
    }),
    { numRuns: 100 },
  );
});
