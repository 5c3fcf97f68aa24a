import { expect, it } from 'vitest';

import { formatAddress } from './receiver.ts';

it.each([
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['::1', 'http://[::1]:8080'],
  ['0.0.0.0', 'http://127.0.0.1:8080'],
  ['::', 'http://127.0.0.1:8080'],
  ['hooks.example.com', 'http://hooks.example.com:8080'],
])('%s is reached at %s', (host, address) => {
  expect(formatAddress(host, 8080)).toBe(address);
});
