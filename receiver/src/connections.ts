import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import type { Log } from '@aftermeet/queue';

import { createLogThrottle } from './logging.ts';
import type { ReceiverMetrics } from './metrics.ts';

/** One open connection. */
interface OpenSocket {
  readonly socket: Socket;
  /** The newest request. A WeakMap keyed by request would cost more than the check of a signature. */
  newest: ServerResponse | undefined;
  /** Grows with each connection and each request; the smaller value of two connections is the longer idle one. */
  usedAt: number;
  /** The tick of the event loop of the last request, and the number of requests in that tick. */
  tick: number;
  requestsInTick: number;
}

/** The connections that are open now. */
export type OpenSockets = ReadonlyMap<Duplex, OpenSocket>;

/** The service waits for each answer, so a sender that pipelines more requests than this is not the service. */
const MAX_REQUESTS_PER_TICK = 8;
/** Sweeps without progress after which a reader counts as stalled. */
const MAX_STALLED_SWEEPS = 10;
const DRAIN_MS = 8000;
const DRAIN_SWEEP_MS = 20;
/** How long the last bytes may take to arrive. */
const END_WITHIN_MS = 1000;

let uses = 0;
let tick = 1;
let isTickScheduled = false;

/** Keeps the list of a server's open connections. */
export function trackSockets(server: Server): OpenSockets {
  const open = new Map<Duplex, OpenSocket>();
  server.on('connection', (socket: Socket) => {
    uses += 1;
    open.set(socket, { socket, newest: undefined, usedAt: uses, tick: 0, requestsInTick: 0 });
    // Node caches the address when it is read; after the peer has gone it is needed for the rate limit.
    void socket.remoteAddress;
    socket.on('close', () => open.delete(socket));
  });
  return open;
}

/**
 * Registers a request when it begins. Returns false when the connection has asked too much in one tick of the event
 * loop: Node reads up to two megabytes of one connection, which may be tens of thousands of pipelined requests, before
 * it turns to another. Such a connection ends after the pending answers; the sender repeats what got none.
 */
export function beginRequest(open: OpenSockets, response: ServerResponse): boolean {
  const connection = open.get(response.req.socket);
  if (connection === undefined) return true;
  if (!isWithinTickLimit(connection)) return false;
  uses += 1;
  connection.newest = response;
  connection.usedAt = uses;
  return true;
}

function isWithinTickLimit(connection: OpenSocket): boolean {
  if (!isTickScheduled) {
    isTickScheduled = true;
    setImmediate(() => {
      tick += 1;
      isTickScheduled = false;
    });
  }
  // Once over the limit a connection stays cut off.
  if (connection.requestsInTick > MAX_REQUESTS_PER_TICK) return false;
  if (connection.tick !== tick) {
    connection.tick = tick;
    connection.requestsInTick = 0;
  }
  connection.requestsInTick += 1;
  if (connection.requestsInTick <= MAX_REQUESTS_PER_TICK) return true;
  stopParsing(connection);
  return false;
}

/** Still reads the bytes but parses none: closing over unread bytes would reset the pending answers. */
function stopParsing(connection: OpenSocket): void {
  const { socket } = connection;
  socket.on('error', () => socket.destroy());
  dropPiece(socket);
  // With a listener of ours Node's parser no longer reads from the system by itself.
  socket.on('data', ignoreData);
  for (const listener of socket.listeners('data')) {
    // The types know listeners of any kind as Function.
    if (listener !== ignoreData) socket.removeListener('data', listener as () => void);
  }
  const pending = pendingOf(connection);
  if (pending === undefined) endSocket(socket);
  else endSocketAfter(pending, socket);
}

function ignoreData(): void {}

/**
 * What follows in the piece that is being parsed is dropped too. Node would make a request, an answer and an error of each
 * of possibly thousands. That its parser asks this function is not documented; where it does not, they are made.
 */
function dropPiece(socket: Socket & { parser?: { onIncoming?: unknown } | null }): void {
  if (typeof socket.parser?.onIncoming === 'function') socket.parser.onIncoming = stopAtUpgrade;
}

/** Says to the parser that another protocol follows, so that it stops there, and to the server that none does. */
function stopAtUpgrade(incoming: { upgrade?: boolean }): number {
  incoming.upgrade = false;
  return 2;
}

/**
 * The newest request of a connection, unless it is read and answered. Answers leave in the order of their requests, so
 * when the newest is out, all are.
 */
export function findPending(open: OpenSockets, socket: Duplex): ServerResponse | undefined {
  return pendingOf(open.get(socket));
}

function pendingOf(connection: OpenSocket | undefined): ServerResponse | undefined {
  const newest = connection?.newest;
  return newest?.writableFinished === true && newest.req.complete ? undefined : newest;
}

/**
 * Above `maxConnections` closes the connection that has been idle longest; otherwise thousands of waiting ones would
 * keep all others out. When each has a pending request, the new one is closed.
 */
export function capConnections(
  server: Server,
  maxConnections: number,
  context: {
    /** Includes the new connection. */
    readonly open: OpenSockets;
    readonly log: Log;
    readonly metrics: ReceiverMetrics;
    readonly nowMs: () => number;
  },
): void {
  const { open, log, metrics, nowMs } = context;
  const logDropped = createLogThrottle(
    (dropped) => log.warn({ dropped, maxConnections }, 'too many connections: the longest idle are closed'),
    nowMs,
  );
  server.on('connection', (socket: Socket) => {
    if (open.size <= maxConnections) return;
    // Visits each connection. That costs as much as the new connection itself, and only at the cap.
    const { socket: dropped } = findLongestIdle(open, socket) ?? { socket };
    dropped.destroy();
    metrics.countDroppedConnection();
    logDropped();
  });
}

function findLongestIdle(open: OpenSockets, except: Socket): OpenSocket | undefined {
  let found: OpenSocket | undefined;
  for (const connection of open.values()) {
    if (found !== undefined && connection.usedAt > found.usedAt) continue;
    if (connection.socket === except || connection.socket.destroyed) continue;
    if (pendingOf(connection) === undefined) found = connection;
  }
  return found;
}

/**
 * Makes a sweep that closes the connections of stalled readers, to be called once per second. Node has no timeout for a
 * peer that does not read its answers. A slow reader makes progress and stays.
 */
export function createStalledReaderSweep(open: OpenSockets): () => void {
  let stalled = new Map<Socket, { readonly sentBytes: number; readonly sweeps: number }>();
  return () => {
    const stillStalled: typeof stalled = new Map();
    for (const { socket } of open.values()) {
      if (socket.writableLength === 0) continue;
      const sentBytes = socket.bytesWritten - socket.writableLength;
      const before = stalled.get(socket);
      const sweeps = before?.sentBytes === sentBytes ? before.sweeps + 1 : 0;
      if (sweeps >= MAX_STALLED_SWEEPS) socket.destroy();
      else stillStalled.set(socket, { sentBytes, sweeps });
    }
    stalled = stillStalled;
  };
}

/**
 * Stops listening and waits for the pending answers, at most eight seconds. A connection that looks idle may have a
 * request on its way: for `idleGraceMs` each answer says `Connection: close`, then idle connections are closed.
 */
export function drain(server: Server, open: OpenSockets, idleGraceMs: number): Promise<void> {
  return new Promise((resolve) => {
    let sweep: NodeJS.Timeout | undefined;
    const grace = setTimeout(() => {
      sweep = setInterval(() => {
        server.closeIdleConnections();
        // Node does not count a connection that never sent a byte as idle.
        for (const { socket } of open.values()) if (socket.bytesRead === 0) socket.destroy();
      }, DRAIN_SWEEP_MS);
    }, idleGraceMs);
    const force = setTimeout(() => {
      for (const { socket } of open.values()) socket.destroy();
    }, DRAIN_MS);
    // The close of net only stops listening; that of http resets idle connections at once.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(grace);
      clearInterval(sweep);
      clearTimeout(force);
      // Ends http's own timeout checks; there is nothing left to close.
      server.close();
      resolve();
    });
  });
}

/**
 * Writes `lastBytes`, if any, and ends a socket from which no request will be read any more. Further input is read and
 * dropped, because closing over unread bytes resets the connection and loses the answer. A peer that never closes its
 * half is cut off after a second.
 */
export function endSocket(socket: Duplex, lastBytes?: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.on('error', () => socket.destroy());
  const timer = setTimeout(() => socket.destroy(), END_WITHIN_MS);
  timer.unref();
  socket.on('close', () => clearTimeout(timer));
  socket.resume();
  socket.end(lastBytes);
}

/**
 * Ends a socket after `pending`, the newest unanswered request, has its answer. Nothing else is sent: one more answer
 * could be taken for that of the next delivery. `Connection: close` in that answer would make Node close over unread
 * bytes.
 */
export function endSocketAfter(pending: ServerResponse, socket: Duplex): void {
  pending.on('close', () => endSocket(socket));
}
