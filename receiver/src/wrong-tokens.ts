import type { IncomingMessage } from 'node:http';

import type { Log } from '@aftermeet/queue';

import { createLogThrottle } from './logging.ts';
import type { NamePeer } from './peer-name.ts';
import { createRateLimiter } from './rate-limits.ts';

/** Tokens that were wrong, of all ways in. */
export interface WrongTokens {
  /**
   * Takes note of a request that was refused because its token is wrong. Returns the seconds after which its peer is
   * answered 401 again, when there were too many from it.
   */
  readonly count: (request: IncomingMessage) => number | undefined;
}

/** Enough for a person with the token of another installation, and for a scraper that still has the old one. */
const PER_PEER = { burst: 20, perSecond: 1 / 10 };

/**
 * Charges wrong tokens alone, after they were compared. Behind a proxy that is not trusted all are one peer, and a
 * stranger there must not lock out the operator. That the right token is let in all the time helps no guesser: it has 16
 * characters or more that can't be guessed, and it is compared in constant time.
 */
export function createWrongTokens({
  log,
  namePeer,
  nowMs,
}: {
  readonly log: Log;
  readonly namePeer: NamePeer;
  readonly nowMs: () => number;
}): WrongTokens {
  const limiter = createRateLimiter(PER_PEER);
  let peer = '';
  const logWrong = createLogThrottle(
    (times) => log.warn({ peer, times }, 'refused: this is not the ADMIN_TOKEN'),
    nowMs,
  );
  return {
    count(request) {
      peer = namePeer(request);
      logWrong();
      const taken = limiter.take(peer, nowMs());
      return taken.ok ? undefined : taken.retryAfterSeconds;
    },
  };
}

/** Whether a request that is refused has tried a token. One without is a stranger who guesses nothing. */
export function carriesToken({ headers }: IncomingMessage, adminToken: string | undefined): boolean {
  return adminToken !== undefined && /^Bearer\b/i.test(headers.authorization ?? '');
}
