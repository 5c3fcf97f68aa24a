import { afterEach, describe, expect, it } from 'vitest';

import { preparePost, shipPost, startReceiver, stopReceivers } from '../testing/start-receiver.ts';
import { guardAddress, type ResolveHost } from './guard-address.ts';

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
    'https://[::1]/',
    'https://10.0.0.1/',
    'https://１２７.0.0.1/',
  ])('refuses %s unless private addresses are allowed', async (url) => {
    expect(await preparePost(url, strict)).toEqual({ result: 'permanent', cause: refused, contact: 'none' });
    expect(await preparePost(url)).toMatchObject({ result: 'ready' });
  });

  it.each(['https://[::ffff:127.0.0.1]/', 'https://169.254.169.254/', 'https://0/', 'https://[fe80::1]/'])(
    'refuses %s whatever is allowed',
    async (url) => {
      expect(await preparePost(url)).toEqual({ result: 'permanent', cause: special, contact: 'none' });
    },
  );

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
    const shipment = await shipPost(`http://rebinding.test:${port}/`, { resolve });
    expect(await shipment.send()).toMatchObject({ result: 'sent' });
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
