import type { IncomingMessage, ServerResponse } from 'node:http';

import { isAwaited } from './awaited-bodies.ts';
import { discardRest } from './discard-rest.ts';
import { answerOf, type Outcome } from './outcome.ts';

/** Answers a delivery. Whoever left without waiting for it gets it at the next attempt, as a duplicate. */
export function sendAnswer(request: IncomingMessage, response: ServerResponse, outcome: Outcome): void {
  if (response.destroyed) return;
  const { status, headers, body } = answerOf(outcome);
  // A body that was never asked for may come or not: only a new connection makes sure where the next request begins.
  if (isAwaited(request)) response.shouldKeepAlive = false;
  response.writeHead(status, headers);
  response.end(body);
  if (!request.complete) discardRest(request);
}
