import type { Request, Response } from 'express';
import { describe, expect, it } from 'vitest';

import { guardOrigin, isLoopbackAddress, isLoopbackName } from './guards.ts';

describe('isLoopbackAddress', () => {
  it.each(['127.0.0.1', '127.255.0.9', '::1', '::ffff:127.0.0.1'])('takes %s', (address) => {
    expect(isLoopbackAddress(address)).toBe(true);
  });

  it.each(['', '10.0.0.1', '128.0.0.1', '::', '::ffff:10.0.0.1', 'fe80::1', 'localhost'])(
    'refuses %j',
    (address) => {
      expect(isLoopbackAddress(address)).toBe(false);
    },
  );
});

describe('isLoopbackName', () => {
  it.each(['localhost', 'LOCALHOST', 'a.localhost', '127.0.0.1', '[::1]'])('takes %s', (name) => {
    expect(isLoopbackName(name)).toBe(true);
  });

  it.each(['', 'example.com', 'localhost.example.com', '127.0.0.1.example.com', 'notlocalhost', '0.0.0.0'])(
    'refuses %j',
    (name) => {
      expect(isLoopbackName(name)).toBe(false);
    },
  );
});

describe('guardOrigin', () => {
  const guardOf = guardOrigin(['sandbox.test']);

  function isLetThrough(origin: string | undefined): boolean {
    let passed = false;
    const response = { status: () => response, json: () => response };
    // Of a request it reads the headers, of a response it calls these two.
    guardOf({ headers: { origin } } as Request, response as unknown as Response, () => {
      passed = true;
    });
    return passed;
  }

  it.each([undefined, 'http://127.0.0.1:4010', 'http://localhost:3000', 'https://sandbox.test'])(
    'lets %s through',
    (origin) => {
      expect(isLetThrough(origin)).toBe(true);
    },
  );

  it.each(['null', '', 'http://evil.example', 'http://localhost.evil.example', 'file://'])(
    'refuses %j',
    (origin) => {
      expect(isLetThrough(origin)).toBe(false);
    },
  );
});
