import type { Destination } from '../../engine/destination.ts';
import { type HttpPost, openHttp } from './send-http-post.ts';

/** Signed requests to addresses that recipes name. */
export const http: Destination<undefined, HttpPost> = {
  name: 'http',
  // The target is a host and a hash.
  policy: { concurrency: 8, shareRateLimit: ({ target }) => ({ name: `http ${target}` }) },
  open: (_settings, { policy, clock }) => openHttp(clock, policy.timeoutMs),
};
