import type { Destination } from '../../engine/destination.ts';
import { checkHttpAddress, type HttpNeed } from './check.ts';
import { type HttpPost, openHttp } from './send-http-post.ts';

/** Signed requests to addresses that recipes name. */
export const http: Destination<undefined, HttpPost, HttpNeed> = {
  name: 'http',
  // The target is a host and a hash.
  policy: { concurrency: 8, shareRateLimit: ({ target }) => ({ name: `http ${target}` }) },
  isUntraceable: true,
  check: (_settings, needs, timeoutMs) =>
    needs.map(async ({ recipe, need }) => [await checkHttpAddress(`address of ${recipe}`, need, timeoutMs)]),
  draw: async (message) => (await import('./draw.ts')).drawHttpPost(message),
  write: async (message) => (await import('./draw.ts')).writeHttpPost(message),
  open: (_settings, { policy, clock }) => openHttp(clock, policy.timeoutMs),
};
