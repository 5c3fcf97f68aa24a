import type { IncomingMessage } from 'node:http';

const MAX_REST_BYTES = 1024 * 1024;
const MAX_REST_MS = 2000;

/**
 * Swallows what is left of a refused request's body. Closing the socket at once would reset the connection
 * and the sender would never see its answer; reading for ever would be an invitation.
 */
export function discardRest(request: IncomingMessage): void {
  if (request.complete) return;
  let rest = 0;
  const giveUp = (): void => {
    request.socket.destroy();
  };
  const timer = setTimeout(giveUp, MAX_REST_MS);
  timer.unref();
  request.on('data', (chunk: Buffer) => {
    rest += chunk.length;
    if (rest > MAX_REST_BYTES) giveUp();
  });
  request.on('close', () => clearTimeout(timer));
  request.on('error', () => clearTimeout(timer));
  request.resume();
}
