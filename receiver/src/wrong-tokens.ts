import type { IncomingMessage, ServerResponse } from 'node:http';

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
/** Peers that one line names; the tokens of further ones are part of its sum alone. */
const MAX_NAMED = 20;

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
  const peers = new Map<string, number>();
  const logWrong = createLogThrottle((times) => {
    log.warn({ times, peers: Object.fromEntries(peers) }, 'refused: this is not the ADMIN_TOKEN');
    peers.clear();
  }, nowMs);
  return {
    count(request) {
      const peer = namePeer(request);
      const known = peers.get(peer);
      if (known !== undefined || peers.size < MAX_NAMED) peers.set(peer, (known ?? 0) + 1);
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

/** Answers a program that is no operator: 401, or 429 after too many wrong tokens. */
export function refuseStranger(
  request: IncomingMessage,
  response: ServerResponse,
  { wrongTokens, adminToken }: { readonly wrongTokens: WrongTokens; readonly adminToken: string | undefined },
): void {
  const waitSeconds = carriesToken(request, adminToken) ? wrongTokens.count(request) : undefined;
  if (waitSeconds !== undefined) response.setHeader('retry-after', String(waitSeconds));
  response.statusCode = waitSeconds === undefined ? 401 : 429;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  const reason = waitSeconds === undefined ? 'unauthorized' : 'too_many';
  response.end(JSON.stringify({ status: 'refused', reason }));
}
