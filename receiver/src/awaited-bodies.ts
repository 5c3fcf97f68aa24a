import type { IncomingMessage, ServerResponse } from 'node:http';

const awaited = new WeakSet<IncomingMessage>();

/** Marks a request whose sender waits for `100 Continue` before it sends the body, and got none yet. */
export function markAwaited(request: IncomingMessage): void {
  awaited.add(request);
}

export function isAwaited(request: IncomingMessage): boolean {
  // The look at the header spares every other request the search in the set.
  return request.headers.expect !== undefined && awaited.has(request);
}

/** Asks for the body of such a request; every other one is on its way already. */
export function askForBody(request: IncomingMessage, response: ServerResponse): void {
  // Refused by its head: nobody wants the body any more.
  if (!response.headersSent && isAwaited(request)) {
    awaited.delete(request);
    response.writeContinue();
  }
}
