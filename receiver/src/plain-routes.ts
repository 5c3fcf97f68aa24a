import type { IncomingMessage, ServerResponse } from 'node:http';

import { discardBody } from './read-body.ts';
import type { Readiness } from './readiness.ts';

/** Answers a request, or returns false. `path` is the target in origin form. */
export type AnswerPlainly = (request: IncomingMessage, response: ServerResponse, path: string) => boolean;

export interface PlainRoutesOptions {
  /** Whether the process takes deliveries, and how many endpoints it serves. */
  readonly checkReady: () => Promise<Readiness>;
  /** Refuses a request for management, unless an operator makes it. Undefined: management has an address of its own. */
  readonly refuseManagement: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** Counts a request to a path that does not exist; the seconds to wait, if its peer did that too often. */
  readonly countUnknown: (request: IncomingMessage) => number | undefined;
}

/**
 * What strangers ask for, answered without Express, which costs several times the check of a signature: health,
 * readiness, management that is closed to them, and paths that do not exist. Everything else is for Express, which
 * answers other spellings of these paths as well.
 */
export function createPlainRoutes(options: PlainRoutesOptions): AnswerPlainly {
  const { checkReady, refuseManagement, countUnknown } = options;
  return (request, response, path) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && healthPath.test(path)) {
      answer(request, response, 200, '{"status":"ok"}');
      return true;
    }
    if (isRead && readyPath.test(path)) {
      checkReady().then(
        (readiness) => {
          // Broken bytes behind the request have been answered meanwhile.
          if (response.headersSent) return;
          answer(request, response, readiness.status === 'ready' ? 200 : 503, JSON.stringify(readiness));
        },
        () => response.destroy(),
      );
      return true;
    }
    if (refuseManagement !== undefined && managementPath.test(path))
      return refuseManagement(request, response);
    if (knownPath.test(path)) return false;
    const retryAfterSeconds = countUnknown(request);
    if (retryAfterSeconds === undefined) answer(request, response, 404, refusal('not_found'));
    else answer(request, response, 429, refusal('too_many'), retryAfterSeconds);
    return true;
  };
}

const healthPath = /^\/healthz\/?(?:\?|$)/i;
const readyPath = /^\/readyz\/?(?:\?|$)/i;
const managementPath = /^\/(?:api|metrics)(?:[/?]|$)/i;
/** The first part of each path that Express knows; a target of another form is for Express too. */
const knownPath = /^(?:[^/]|\/(?:[/?]|$)|\/(?:healthz|readyz|console|approve|unsubscribe|slack)(?:[/?]|$))/i;

function refusal(reason: string): string {
  return `{"status":"refused","reason":"${reason}"}`;
}

/** All bodies are ASCII. */
function answer(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: string,
  retryAfterSeconds?: number,
): void {
  const headers = ['content-type', 'application/json; charset=utf-8', 'content-length', String(body.length)];
  if (retryAfterSeconds !== undefined) headers.push('retry-after', String(retryAfterSeconds));
  response.writeHead(status, headers);
  response.end(request.method === 'HEAD' ? undefined : body);
  if (!request.complete) discardBody(request);
}
