import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';

import type { OpenSockets } from './open-sockets.ts';

const DRAIN_MS = 8000;
const SWEEP_EVERY_MS = 20;

/**
 * Waits for the answers that are under way. A connection that looks idle may have a request on its way, so
 * idle ones get a moment in which each answer says `Connection: close`; only then are they closed.
 */
export function drain(server: Server, open: OpenSockets, idleGraceMs: number): Promise<void> {
  return new Promise((resolve) => {
    let sweep: NodeJS.Timeout | undefined;
    const grace = setTimeout(() => {
      sweep = setInterval(() => {
        server.closeIdleConnections();
        // For Node, one that never sent a byte is not idle: its first request counts from the beginning.
        for (const { socket } of open.values()) if (socket.bytesRead === 0) socket.destroy();
      }, SWEEP_EVERY_MS);
    }, idleGraceMs);
    const force = setTimeout(() => {
      for (const { socket } of open.values()) socket.destroy();
    }, DRAIN_MS);
    // The close of net, which only stops listening: http's own resets idle connections at once.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(grace);
      clearInterval(sweep);
      clearTimeout(force);
      // Ends the checks of timeouts that http began; there is nothing left to close.
      server.close();
      resolve();
    });
  });
}
