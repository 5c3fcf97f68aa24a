import type { Socket } from 'node:net';

import type { OpenSockets } from './open-sockets.ts';

/** How many sweeps may find that nothing of its answers went out to a peer since the sweep before. */
const PATIENCE = 10;

/**
 * Makes a sweep, to be called once a second, that closes the connections of peers who don't read their answers: Node
 * waits for them for ever, whatever its timeouts are. A slow reader makes progress and stays.
 */
export function createDeafSweep(open: OpenSockets): () => void {
  let stuck = new Map<Socket, { readonly taken: number; readonly sweeps: number }>();
  return () => {
    const stillStuck: typeof stuck = new Map();
    for (const { socket } of open.values()) {
      if (socket.writableLength === 0) continue;
      const taken = socket.bytesWritten - socket.writableLength;
      const before = stuck.get(socket);
      const sweeps = before?.taken === taken ? before.sweeps + 1 : 0;
      if (sweeps >= PATIENCE) socket.destroy();
      else stillStuck.set(socket, { taken, sweeps });
    }
    stuck = stillStuck;
  };
}
