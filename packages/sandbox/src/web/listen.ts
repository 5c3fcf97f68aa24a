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
 * How long an idle connection stays open. Node's default of five seconds can pass while a process that also has the
 * client is busy, and the client's next request then meets a connection that is being closed.
 */
const idleMs = 65_000;

/**
 * Binds the server and resolves with `host:port` as clients reach it; rejects with the system's own
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

/** Stops accepting and closes open connections: an emulator has nothing to finish, and some requests hang on purpose. */
export async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
