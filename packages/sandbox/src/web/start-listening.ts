import { once } from 'node:events';
import { Server } from 'node:http';
import type { Server as NetServer } from 'node:net';

export interface ListenOptions {
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Default 0: any free port. */
  readonly port?: number | undefined;
}

/**
 * How long a connection that nobody uses stays open. Node's own five seconds pass while a process that holds the client
 * too computes something, and the client's next request goes into a connection that is closed before it is read.
 */
const idleMs = 65_000;

/**
 * Binds the server and resolves with `host:port` as others reach it; rejects with the system's own
 * error (EADDRINUSE, EACCES) when it cannot. A wildcard host is reached at 127.0.0.1.
 */
export async function startListening(server: NetServer, options: ListenOptions = {}): Promise<string> {
  const host = options.host ?? '127.0.0.1';
  if (server instanceof Server) server.keepAliveTimeout = idleMs;
  server.listen(options.port ?? 0, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no TCP address.');
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `${reachable.includes(':') ? `[${reachable}]` : reachable}:${String(address.port)}`;
}

/** Stops accepting and cuts what is open: a stand-in has nothing to finish, and some requests hang on purpose. */
export async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
