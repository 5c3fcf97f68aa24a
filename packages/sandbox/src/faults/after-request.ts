import type { IncomingMessage } from 'node:http';

/**
 * Runs when the request has been read to its end, or never when its sender leaves before. A connection that is closed
 * over unread bytes is reset by the system, and the other side may lose what was sent to it last.
 */
export function afterRequest(request: IncomingMessage, run: () => void): void {
  if (request.complete) run();
  else request.once('end', run).resume();
}
