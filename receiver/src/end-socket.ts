import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Time for the last words to arrive, whatever the peer goes on sending. */
const ENDS_MS = 1000;

/**
 * Says `lastWords`, if any, and lets go of a socket that no request will be read from any more. What still comes is swallowed:
 * closing over unread bytes would reset the connection, and the words be lost with it. A peer that never closes its half
 * is not waited for.
 */
export function endSocket(socket: Duplex, lastWords?: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.on('error', () => socket.destroy());
  const timer = setTimeout(() => socket.destroy(), ENDS_MS);
  timer.unref();
  socket.on('close', () => clearTimeout(timer));
  socket.resume();
  socket.end(lastWords);
}

/**
 * Lets go of a socket once `last`, the newest of the requests that have, or will have, their answers, has it. Nothing
 * follows but the end: one more answer could be taken for that of the next delivery. `Connection: close` in that answer
 * would make Node close over what is still unread.
 */
export function endSocketBehind(last: ServerResponse, socket: Duplex): void {
  last.on('close', () => endSocket(socket));
}
