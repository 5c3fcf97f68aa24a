import { isEndpointName } from '@aftermeet/receiver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { freshBody, genuine, toBytes } from './delivery-text.ts';
import { acceptedBody, openHarness, type Harness, refusedBody } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

describe('a target', () => {
  it.each([
    '/hooks/default',
    '/hooks/default/',
    '/hooks/default?',
    '/hooks/default?a=1&b=../..',
    '/hooks/default/?a=1',
    '/hooks/default?/hooks/other',
    'http://127.0.0.1/hooks/default',
    'http://other.example/hooks/default?a=1',
    'HTTPS://other.example:8443/hooks/default/',
  ])('%s is the endpoint', async (target) => {
    const body = freshBody();
    expect(await harness.attack(toBytes(genuine(body, target)), [body])).toMatchObject({
      status: 200,
      body: acceptedBody(body),
      connection: 'open',
    });
    expect(harness.inbox.asked[0]?.job).toMatchObject({ endpoint: 'default' });
    expect(harness.inbox.asked[0]?.job.key).toBeUndefined();
  });

  it.each([
    '/hooks/other',
    '/hooks/Default',
    '/hooks/default2',
    '/hooks/',
    '/hooks//',
    '/hooks/?default',
    '/hooks//default',
    '/hooks/default//',
    '/hooks/default/a',
    '/hooks/default/a/b',
    '/hooks/default/a/b/',
    '/hooks/./default',
    '/hooks/../hooks/default',
    '/hooks/other/../default',
    '/hooks/default/.',
    '/hooks/default/..',
    '/hooks/%64efault',
    '/hooks/default%2F',
    '/hooks/default%2Fa',
    '/hooks/default%00',
    '/hooks/default%20',
    '/hooks/default%0d%0a',
    '/hooks/default%3fa',
    '/hooks/%2e/default',
    '/hooks/%2e%2e/hooks/default',
    '/hooks/default\\',
    '/hooks/default;a=1',
    '/hooks/default#a',
    '/hooks/.default',
    '/hooks/__proto__',
    '/hooks/constructor',
    '/hooks/toString',
    '/hooks/hasOwnProperty',
    '/hooks/prototype/constructor',
    `/hooks/${'a'.repeat(129)}`,
    `/hooks/${'a/'.repeat(4000)}`,
  ])('%s is 404', async (target) => {
    expect(await harness.attack(toBytes(genuine(freshBody(), target)))).toMatchObject({
      status: 404,
      body: refusedBody('unknown_endpoint'),
      connection: 'open',
    });
  });

  it('/ says what the receiver is, and takes no delivery: 405', async () => {
    expect(await harness.attack(toBytes(genuine(freshBody(), '/')))).toMatchObject({
      status: 405,
      connection: 'open',
    });
  });

  it.each([
    '//hooks/default',
    '/hooks',
    '/hooks?default',
    '/Hooks/default',
    '/HOOKS/default',
    '/hooks%2Fdefault',
    '/%68ooks/default',
    '/a/../hooks/default',
    '/healthz/../hooks/default',
    '/hooks;/default',
    '/%',
    '/%ff',
    '/%c0%af',
    '/api/../hooks/default',
    '*',
    '/*',
  ])('%s is nothing of the receiver: 404', async (target) => {
    expect(await harness.attack(toBytes(genuine(freshBody(), target)))).toMatchObject({
      status: 404,
      connection: 'open',
    });
  });

  it.each([
    '127.0.0.1:80',
    'hooks/default',
    'default',
    '?a',
    '#',
    '\u00ff',
    'http:',
    'http://',
    '://hooks/default',
  ])('%s is no target of a delivery', async (target) => {
    const { status } = await harness.attack(toBytes(genuine(freshBody(), target)));
    expect([400, 404]).toContain(status);
  });

  it('over the cap of the head is 431', async () => {
    const target = `/hooks/${'a'.repeat(17_000)}`;
    expect(await harness.attack(toBytes(genuine(freshBody(), target)))).toMatchObject({ status: 431 });
  });
});

describe('the name of an endpoint', () => {
  it('is what can stand in a target as it is', () => {
    expect(['default', 'a', '0', 'A-b_c.d', 'a'.repeat(128)].filter((name) => !isEndpointName(name))).toEqual(
      [],
    );
    expect(['', '.a', '-a', 'a/b', 'a b', '%61', 'ä', 'a'.repeat(129)].filter(isEndpointName)).toEqual([]);
  });
});
