import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** One connection. */
interface OpenSocket {
  readonly socket: Socket;
  /** Its newest request. In a map from requests, held weakly, this cost more than the check of a signature. */
  newest: ServerResponse | undefined;
}

/** The connections that are open now. */
export type OpenSockets = ReadonlyMap<Duplex, OpenSocket>;

export function trackSockets(server: Server): OpenSockets {
  const open = new Map<Duplex, OpenSocket>();
  server.on('connection', (socket: Socket) => {
    open.set(socket, { socket, newest: undefined });
    socket.on('close', () => open.delete(socket));
  });
  return open;
}

/** To be called for each request, when it begins. */
export function noteRequest(open: OpenSockets, response: ServerResponse): void {
  const connection = open.get(response.req.socket);
  if (connection !== undefined) connection.newest = response;
}

/**
 * The newest request of a connection that is not both read and answered. Answers go out in the order of their requests:
 * when the newest is out, all are.
 */
export function findPending(open: OpenSockets, socket: Duplex): ServerResponse | undefined {
  const newest = open.get(socket)?.newest;
  return newest?.writableFinished === true && newest.req.complete ? undefined : newest;
}
