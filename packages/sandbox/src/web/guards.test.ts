import type { Request, Response } from 'express';
import { describe, expect, it } from 'vitest';

import { guardHost, guardPages, isLoopbackAddress, isLoopbackName, isUnregistrable } from './guards.ts';

it.each<
  [name: string, accepts: (name: string) => boolean, right: readonly string[], wrong: readonly string[]]
>([
  [
    'an address of loopback',
    isLoopbackAddress,
    ['127.0.0.1', '127.255.0.9', '::1', '::ffff:127.0.0.1'],
    ['', '10.0.0.1', '128.0.0.1', '::', '::ffff:10.0.0.1', 'fe80::1', 'localhost'],
  ],
  [
    'a name of this machine',
    isLoopbackName,
    ['localhost', 'LOCALHOST', 'a.localhost', '127.0.0.1', '[::1]'],
    ['', 'example.com', 'localhost.example.com', '127.0.0.1.example.com', 'notlocalhost', '0.0.0.0'],
  ],
  [
    'a host that nobody can register',
    isUnregistrable,
    [
      '127.0.0.1',
      '[::1]',
      '10.0.0.5',
      '0.0.0.0',
      'localhost',
      'sandbox',
      'host.docker.internal',
      'aftermeet-sandbox.default.svc.cluster.local',
    ],
    [
      '',
      '.',
      'evil.example',
      '127.0.0.1.evil.example',
      'internal.example',
      'localhost.',
      'sandbox.',
      'mac.local',
      'cluster.local',
    ],
  ],
])('%s', (_name, accepts, right, wrong) => {
  expect([right.filter((name) => !accepts(name)), wrong.filter(accepts)]).toEqual([[], []]);
});

type Headers = Readonly<Record<string, string>>;

function isLetThrough(guard: ReturnType<typeof guardPages>, headers: Headers, method = 'GET'): boolean {
  let passed = false;
  const response = { status: () => response, json: () => response };
  // Of a request it reads method and headers, of a response it calls these two.
  guard({ method, headers } as unknown as Request, response as unknown as Response, () => {
    passed = true;
  });
  return passed;
}

describe('guardPages', () => {
  const guard = guardPages(['sandbox.test', 'Sandbox.Example.com']);
  const host = '127.0.0.1:4010';

  it.each([
    { host },
    { host, origin: 'http://127.0.0.1:4010' },
    { host, origin: 'http://localhost:3000' },
    { host, origin: 'https://sandbox.test' },
    { host: 'sandbox:4010' },
    { host: '10.0.0.5:4010' },
    { host: '[::1]:4010' },
    { host: 'sandbox.example.com' },
    { host: 'SANDBOX.example.com', origin: 'https://sandbox.example.com' },
  ])('lets %j through', (headers: Headers) => {
    expect(isLetThrough(guard, headers)).toBe(true);
  });

  it('says how to allow a name, in the command and in code', () => {
    let answer: unknown;
    const response = { status: () => response, json: (body: unknown) => (answer = body) };
    const request = { method: 'GET', headers: { host: 'mac.local' } };
    guard(request as unknown as Request, response as unknown as Response, () => {});
    expect(answer).toEqual({
      code: 'NOT_LOCAL',
      message:
        'The sandbox does not know the name in the Host header; use 127.0.0.1 or localhost, or allow the name: with --allow-host of aftermeet sandbox, or in code with allowedHosts.',
    });
  });

  it.each([
    {},
    { host, origin: 'null' },
    { host, origin: '' },
    { host, origin: 'http://evil.example' },
    { host, origin: 'http://localhost.evil.example' },
    { host, origin: 'file://' },
    { host: 'evil.example:4010' },
    { host: 'evil.example:4010', origin: 'http://evil.example:4010' },
    { host: 'www.sandbox.example.com' },
  ])('refuses %j', (headers: Headers) => {
    expect(isLetThrough(guard, headers)).toBe(false);
  });
});

it.each(['sandbox:4010', 'Sandbox:4010', 'SANDBOX'])(
  'guardHost takes an allowed name in any case: %s',
  (host) => {
    expect(isLetThrough(guardHost(['SandBox']), { host })).toBe(true);
    expect(isLetThrough(guardHost(['other']), { host })).toBe(false);
  },
);

describe('what a browser says of the page that asks', () => {
  const link = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

  it.each([
    ['GET', { 'sec-fetch-site': 'same-origin' }, true],
    ['GET', { 'sec-fetch-site': 'none', ...link }, true],
    ['GET', { 'sec-fetch-site': 'cross-site', ...link }, true],
    [
      'GET',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
      false,
    ],
    ['GET', { 'sec-fetch-site': 'cross-site', ...link, 'sec-fetch-dest': 'iframe' }, false],
    ['GET', { 'sec-fetch-site': 'cross-site' }, false],
    ['POST', { 'sec-fetch-site': 'cross-site', ...link }, false],
  ])('%s %j: %j', (method, headers: Headers, isFine) => {
    const asked = { host: 'localhost:4010', ...headers };
    expect(isLetThrough(guardHost(), asked, method)).toBe(isFine);
    expect(isLetThrough(guardPages(), asked, method)).toBe(isFine);
  });
});
