import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** One connection. */
export interface OpenSocket {
  readonly socket: Socket;
  /** Its newest request. In a map from requests, held weakly, this cost more than the check of a signature. */
  newest: ServerResponse | undefined;
  /** Grows with each connection and each request: of two connections, the one with the smaller one is idle for longer. */
  usedAt: number;
  /** The turn of the event loop in which it asked last, and how many requests it brought in it. */
  turn: number;
  inTurn: number;
}

/** The connections that are open now. */
export type OpenSockets = ReadonlyMap<Duplex, OpenSocket>;

let uses = 0;

export function trackSockets(server: Server): OpenSockets {
  const open = new Map<Duplex, OpenSocket>();
  server.on('connection', (socket: Socket) => {
    uses += 1;
    open.set(socket, { socket, newest: undefined, usedAt: uses, turn: 0, inTurn: 0 });
    // Asked for once, it is known when the peer has gone too, and pays for what it left unfinished.
    void socket.remoteAddress;
    socket.on('close', () => open.delete(socket));
  });
  return open;
}

/** To be called for each request, when it begins. */
export function noteRequest(connection: OpenSocket, response: ServerResponse): void {
  uses += 1;
  connection.newest = response;
  connection.usedAt = uses;
}

/**
 * The newest request of a connection that is not both read and answered. Answers go out in the order of their requests:
 * when the newest is out, all are.
 */
export function findPending(open: OpenSockets, socket: Duplex): ServerResponse | undefined {
  return pendingOf(open.get(socket));
}

/** The connection without a request under way that has been so for the longest; `newest` is not looked at. */
export function findLongestIdle(open: OpenSockets, newest: Socket): OpenSocket | undefined {
  let found: OpenSocket | undefined;
  for (const connection of open.values()) {
    if (found !== undefined && connection.usedAt > found.usedAt) continue;
    if (connection.socket === newest || connection.socket.destroyed) continue;
    if (pendingOf(connection) === undefined) found = connection;
  }
  return found;
}

/** The same of a connection at hand. */
export function pendingOf(connection: OpenSocket | undefined): ServerResponse | undefined {
  const newest = connection?.newest;
  return newest?.writableFinished === true && newest.req.complete ? undefined : newest;
}
