import type { Server } from 'node:http';
import type { Socket } from 'node:net';

import type { Log } from '@aftermeet/queue';

import type { DeliveryMeter } from './delivery-meter.ts';
import type { OpenSockets } from './open-sockets.ts';
import { createRareLine } from './rare-line.ts';

/**
 * Closes what exceeds the cap as soon as it opens.
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
    (dropped) => log.warn({ dropped, maxConnections }, 'too many connections: new ones are closed at once'),
    nowMs,
  );
  server.on('connection', (socket: Socket) => {
    if (open.size <= maxConnections) return;
    socket.destroy();
    meter.countDroppedConnection();
    tell();
  });
}
