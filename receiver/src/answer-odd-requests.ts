import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';

import { markAwaited } from './awaited-bodies.ts';
import { endSocket, endSocketBehind } from './end-socket.ts';
import { findPending, type OpenSockets } from './open-sockets.ts';

const notAllowed =
  'HTTP/1.1 405 Method Not Allowed\r\nAllow: POST\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

/**
 * Sends to the listener what Node would answer by itself: a sender that waits for `100 Continue` hears a refusal
 * before it sends its body, and an expectation that we don't know is none (RFC 9110, 10.1.1 leaves that open, and a
 * 417 would lose the event). `CONNECT` is a method like any other that is not allowed here; behind a delivery that has no
 * answer yet it gets none, because that one's sender would take the 405 for its own and forget the event.
 */
export function answerOddRequests(server: Server, open: OpenSockets, listener: RequestListener): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    markAwaited(request);
    listener(request, response);
  });
  server.on('checkExpectation', listener);
  // From here on the socket is no longer the server's: nothing but us ends it.
  server.on('connect', (_request, socket) => {
    const last = findPending(open, socket);
    if (last === undefined) endSocket(socket, notAllowed);
    else {
      // Node listens to its errors no more, and while the answer is awaited nobody else does.
      socket.on('error', () => socket.destroy());
      socket.resume();
      endSocketBehind(last, socket);
    }
  });
}
