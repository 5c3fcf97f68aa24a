import type { ServerResponse } from 'node:http';

import { endSocket, endSocketBehind } from './end-socket.ts';
import { noteRequest, type OpenSocket, type OpenSockets, pendingOf } from './open-sockets.ts';

/** Nobody honest pipelines as many: the service waits for each answer. */
const MAX_PER_TURN = 100;

let turn = 1;
let isCounted = false;

/**
 * Bounds what one connection may ask in one turn of the event loop: Node reads up to two megabytes of it before it looks
 * at another connection, which may be tens of thousands of pipelined requests. One more ends the connection behind the
 * answers that are due, and is dropped with all that follows: its sender has no answer and repeats it.
 *
 * To be called for each request, when it begins; false when it is dropped. Counting turns costs one callback for each.
 */
export function beginRequest(open: OpenSockets, response: ServerResponse): boolean {
  const connection = open.get(response.req.socket);
  if (connection === undefined) return true;
  if (!takeTurn(connection)) return false;
  noteRequest(connection, response);
  return true;
}

function takeTurn(connection: OpenSocket): boolean {
  if (!isCounted) {
    isCounted = true;
    setImmediate(countTurn);
  }
  // What was cut off stays so.
  if (connection.inTurn > MAX_PER_TURN) return false;
  if (connection.turn !== turn) {
    connection.turn = turn;
    connection.inTurn = 0;
  }
  connection.inTurn += 1;
  if (connection.inTurn <= MAX_PER_TURN) return true;
  cutOff(connection);
  return false;
}

function countTurn(): void {
  turn += 1;
  isCounted = false;
}

/** Bytes are still taken from the system, but no more parsed: closing over them would reset the answers that are due. */
function cutOff(connection: OpenSocket): void {
  const { socket } = connection;
  // With a listener of ours Node's parser no longer reads from the system by itself.
  socket.on('data', swallow);
  for (const listener of socket.listeners('data')) {
    // The types know listeners of any kind as Function.
    if (listener !== swallow) socket.removeListener('data', listener as () => void);
  }
  const last = pendingOf(connection);
  if (last === undefined) endSocket(socket);
  else endSocketBehind(last, socket);
}

function swallow(): void {}
