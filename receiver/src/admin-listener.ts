import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Log } from '@aftermeet/queue';

import { beginRequest, drain, trackSockets } from './connections.ts';

export interface AdminListener {
  /** Resolves with the port that was taken. */
  listen(host: string, port: number): Promise<number>;
  close(idleGraceMs: number): Promise<void>;
}

/** Operators are few, and each open page of the console keeps one connection. */
const MAX_CONNECTIONS = 500;
const timeouts = { requestTimeout: 10_000, headersTimeout: 5_000, keepAliveTimeout: 65_000 };

/**
 * The server of management where that has an address of its own. It has none of the care that the open one takes of
 * deliveries: no sender loses an event by its answers.
 */
export function createAdminListener(
  app: RequestListener,
  { log, isClosing }: { readonly log: Log; readonly isClosing: () => boolean },
): AdminListener {
  const server = createServer(timeouts, (request, response) => {
    if (isClosing()) response.shouldKeepAlive = false;
    if (beginRequest(open, response)) app(request, response);
  });
  server.maxConnections = MAX_CONNECTIONS;
  const open = trackSockets(server);
  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host, port }, () => {
          server.removeListener('error', reject);
          server.on('error', () => log.error({}, 'the listening socket of management failed'));
          // A listening TCP server always has an AddressInfo.
          resolve((server.address() as AddressInfo).port);
        });
      }),
    close: async (idleGraceMs) => {
      if (server.listening) await drain(server, open, idleGraceMs);
    },
  };
}
