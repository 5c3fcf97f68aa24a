import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';

import { preparePost, shipPost, startReceiver, stopReceivers } from '../../testing/start-receiver.ts';
import { findAddressKind, guardAddress, type ResolveHost } from './guard-address.ts';

afterEach(stopReceivers);

describe('the guard', () => {
  const refused =
    'the address leads to this machine or into a private network: say allow: private if that is meant';
  const special = 'the address leads to a special network address, which is never sent to';
  const strict = { facts: { isPrivateAllowed: false } };

  it.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://017700000001/',
    'https://127.1/',
    'https://１２７.0.0.1/',
  ])('refuses %s unless private addresses are allowed', async (url) => {
    expect(await preparePost(url, strict)).toEqual({ result: 'permanent', cause: refused, contact: 'none' });
    expect(await preparePost(url)).toMatchObject({ result: 'ready' });
  });

  it.each([
    'https://[::ffff:127.0.0.1]/',
    'https://169.254.169.254/',
    'http://[fd00:ec2::254]/',
    'https://0/',
  ])('refuses %s whatever is allowed', async (url) => {
    expect(await preparePost(url)).toEqual({ result: 'permanent', cause: special, contact: 'none' });
  });

  it('refuses a name of which one address is private', async () => {
    const resolve: ResolveHost = async () => [
      { address: '93.184.216.34', family: 4 },
      { address: 'fd00::1', family: 6 },
    ];
    expect(await preparePost('https://receiver.test/', { ...strict, resolve })).toMatchObject({
      cause: refused,
    });
  });

  it('takes the translated address that stands beside an IPv4 address, and connects to both as they are', async () => {
    const addresses = [
      { address: '93.184.216.34', family: 4 },
      { address: '64:ff9b::5db8:d822', family: 6 },
    ];
    const rules = { isPrivateAllowed: false, resolve: async () => addresses, timeoutMs: 5000 };
    expect(await guardAddress(new URL('https://receiver.test/'), rules)).toEqual({
      result: 'allowed',
      addresses,
    });
  });

  it('asks for a name once, and connects to what was checked', async () => {
    const { port, received } = await startReceiver((_request, response) => response.end());
    let asked = 0;
    const resolve: ResolveHost = async () => {
      asked += 1;
      return [{ address: asked === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }];
    };
    const prepared = await shipPost(`http://rebinding.test:${port}/`, { resolve });
    expect(await prepared.send()).toMatchObject({ result: 'sent' });
    expect([asked, received.length]).toEqual([1, 1]);
  });

  it('sends in plain text within the private network alone', async () => {
    const resolve: ResolveHost = async () => [{ address: '93.184.216.34', family: 4 }];
    expect(await preparePost('http://receiver.test/', { resolve })).toEqual({
      result: 'permanent',
      cause: 'the address leads out of the private network: it must start with https://',
      contact: 'none',
    });
  });

  it('waits for a name that cannot be resolved now', async () => {
    const resolve: ResolveHost = async () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND receiver.test'), { code: 'ENOTFOUND' });
    };
    expect(await preparePost('https://receiver.test/', { resolve })).toEqual({
      result: 'not_sent_retry',
      cause: 'the name of the address cannot be resolved (ENOTFOUND)',
      contact: 'none',
    });
    const never: ResolveHost = () => new Promise(() => {});
    expect(await preparePost('https://receiver.test/', { resolve: never, timeoutMs: 50 })).toMatchObject({
      cause: 'the name of the address cannot be resolved (ETIMEDOUT)',
    });
  });
});

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
  // Services that give a machine its secrets: Amazon (also ECS and EKS), Google, Oracle, Scaleway, Akamai.
  ['169.254.170.2', 'special'],
  ['169.254.170.23', 'special'],
  ['169.254.42.42', 'special'],
  ['fd00:ec2::254', 'special'],
  ['fd00:ec2::23', 'special'],
  ['fd00:0EC2:0:0::23', 'special'],
  ['fd00:ec2::23%eth0', 'special'],
  ['fd20:ce::254', 'special'],
  ['fd00:c1::a9fe:a9fe', 'special'],
  ['fd00:c1::169.254.169.254', 'special'],
  ['fd00:42::42', 'special'],
  ['fd00:a9fe:a9fe::1', 'special'],
  ['fe80::a9fe:a9fe', 'special'],
  ['fd00:c1::1', 'private'],
  ['fd20:ce::253', 'private'],
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
