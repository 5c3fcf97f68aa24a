import type { Server } from 'node:http';
import type { Socket } from 'node:net';

import type { Log } from '@aftermeet/queue';

import type { DeliveryMeter } from './delivery-meter.ts';
import { findLongestIdle, type OpenSockets } from './open-sockets.ts';
import { createRareLine } from './rare-line.ts';

/**
 * Makes room for what exceeds the cap: the connection that has been idle for the longest is closed, or thousands that only wait
 * would keep everybody else out. Where each has a request under way the new one is closed.
 *
 * Node's own `maxConnections` is not it: in a cluster it hands the connection back to the primary, which offers it to
 * the next full process, for ever.
 */
export function capConnections(
  server: Server,
  maxConnections: number,
  about: {
    /** The new one among them. */
    readonly open: OpenSockets;
    readonly log: Log;
    readonly meter: DeliveryMeter;
    readonly nowMs: () => number;
  },
): void {
  const { open, log, meter, nowMs } = about;
  const tell = createRareLine(
    (dropped) => log.warn({ dropped, maxConnections }, 'too many connections: the longest idle are closed'),
    nowMs,
  );
  server.on('connection', (socket: Socket) => {
    if (open.size <= maxConnections) return;
    // A look at each: that costs as much as the new connection does, and only at the cap.
    const { socket: dropped } = findLongestIdle(open, socket) ?? { socket };
    dropped.destroy();
    meter.countDroppedConnection();
    tell();
  });
}
