import { describe, expect, it } from 'vitest';

import { type Endpoints, findSecrets, parseAddress } from './endpoints.ts';

describe('parseAddress', () => {
  it.each([
    ['/default', { endpoint: 'default' }],
    ['/sales/m-42.a_b', { endpoint: 'sales', key: 'm-42.a_b' }],
    ['/default?x=/y', { endpoint: 'default' }],
    ['/default/', { endpoint: 'default' }],
    ['/default/?x', { endpoint: 'default' }],
    ['/sales/k/', { endpoint: 'sales', key: 'k' }],
  ])('reads %s', (url, address) => {
    expect(parseAddress(url)).toEqual(address);
  });

  it.each([
    '',
    '/',
    '//',
    '/default//',
    '/a/b/c',
    '/..',
    '/%2e%2e',
    '/a b',
    'default',
    `/${'x'.repeat(129)}`,
    '/a/%00',
  ])('knows no address %j', (url) => {
    expect(parseAddress(url)).toBeUndefined();
  });
});

describe('findSecrets', () => {
  const byName = new Map([
    ['default', { secrets: ['new-secret-0123456', 'old-secret-0123456'] }],
    ['derived', { secrets: [] }],
  ]);
  const endpoints: Endpoints = { byName, masterSecret: 'master-secret-0123456789' };

  it('gives every secret of an endpoint', () => {
    expect(findSecrets(endpoints, { endpoint: 'default' })).toEqual([
      'new-secret-0123456',
      'old-secret-0123456',
    ]);
  });

  it('derives one secret for an address with a key, the same each time', () => {
    const secrets = findSecrets(endpoints, { endpoint: 'derived', key: 'm_1' });
    expect(secrets).toHaveLength(1);
    expect(secrets).toEqual(findSecrets(endpoints, { endpoint: 'derived', key: 'm_1' }));
    expect(secrets).not.toEqual(findSecrets(endpoints, { endpoint: 'derived', key: 'm_2' }));
  });

  it('knows no address without a secret', () => {
    expect(findSecrets(endpoints, { endpoint: 'derived' })).toBeUndefined();
    expect(findSecrets(endpoints, { endpoint: 'other' })).toBeUndefined();
    expect(findSecrets({ byName }, { endpoint: 'default', key: 'm_1' })).toBeUndefined();
  });
});
