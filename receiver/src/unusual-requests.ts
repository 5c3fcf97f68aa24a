import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import type { Log } from '@aftermeet/queue';

import { endSocket, endSocketAfter, findPending, type OpenSockets } from './connections.ts';
import { createLogThrottle } from './logging.ts';

const brokenAnswers = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
} as const;
const badRequest = [400, 'Bad Request'] as const;

/** Requests whose sender waits for `100 Continue`. */
const awaitingContinue = new WeakSet<IncomingMessage>();

type BrokenAnswer = readonly [status: number, reason: string];

const methodNotAllowed =
  'HTTP/1.1 405 Method Not Allowed\r\nAllow: POST\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

/**
 * Answers requests that are malformed, too slow or too large in their head as Node does by default, logs a throttled
 * line, and closes the connection. A pending delivery on the same connection gets its own answer first: a 400 instead
 * of its 503 would make the service drop an event that is not stored.
 */
export function answerBrokenRequests(
  server: Server,
  open: OpenSockets,
  { log, nowMs }: { readonly log: Log; readonly nowMs: () => number },
): void {
  let last: { readonly refused: string; readonly cause: string } | undefined;
  const logRefused = createLogThrottle(
    (times) => log.warn({ ...last, times }, 'request refused before it could be read'),
    nowMs,
  );
  // The parser reports each further packet again.
  const ending = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const code = error.code ?? error.name;
    if (code === 'ECONNRESET' || code === 'EPIPE') {
      socket.destroy();
      return;
    }
    if (ending.has(socket)) return;
    ending.add(socket);
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    const answer = code in brokenAnswers ? brokenAnswers[code as keyof typeof brokenAnswers] : badRequest;
    last = { refused: answer.join(' '), cause: code };
    logRefused();
    answerInOrder(socket, findPending(open, socket), answer);
  });
}

function answerInOrder(
  socket: Duplex,
  pending: ServerResponse | undefined,
  [status, reason]: BrokenAnswer,
): void {
  if (pending === undefined) {
    endSocket(socket, `HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\n\r\n`);
  } else if (pending.writableFinished) {
    endSocket(socket);
  } else if (pending.headersSent || pending.req.complete) {
    // The broken bytes follow a request that has, or will have, its answer.
    pending.shouldKeepAlive = false;
    endSocketAfter(pending, socket);
  } else {
    // The pending request itself is broken. Node holds its answer back until those before it are out.
    pending.writeHead(status, { 'content-length': '0', connection: 'close' });
    // Tells the reader of its body that no more will come; Node does not, once the answer is out.
    pending.on('close', () => pending.req.destroy());
    pending.end();
  }
}

/**
 * Passes to the listener what Node would answer by itself. With `Expect: 100-continue` the sender gets a refusal before
 * it sends the body. Any other expectation is ignored (RFC 9110, 10.1.1 leaves that open; a 417 would lose the event).
 * `CONNECT` gets 405 like any other method, but no answer after a pending delivery, whose sender would take the 405 for
 * its own and drop the event.
 */
export function answerUnusualRequests(server: Server, open: OpenSockets, listener: RequestListener): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    awaitingContinue.add(request);
    listener(request, response);
  });
  server.on('checkExpectation', listener);
  // After this event the server no longer owns the socket, so it has to be ended here.
  server.on('connect', (_request, socket) => {
    const pending = findPending(open, socket);
    if (pending === undefined) endSocket(socket, methodNotAllowed);
    else {
      // Node has removed its error listener.
      socket.on('error', () => socket.destroy());
      socket.resume();
      endSocketAfter(pending, socket);
    }
  });
}

/** Whether the sender still waits for `100 Continue`. */
export function isAwaited(request: IncomingMessage): boolean {
  // Most requests have no such header and skip the lookup.
  return request.headers.expect !== undefined && awaitingContinue.has(request);
}

/** Sends `100 Continue` to a sender that waits for it, unless the request is answered already. */
export function askForBody(request: IncomingMessage, response: ServerResponse): void {
  if (!response.headersSent && isAwaited(request)) {
    awaitingContinue.delete(request);
    response.writeContinue();
  }
}
