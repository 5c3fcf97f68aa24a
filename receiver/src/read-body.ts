import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** A body that was read holds its `size` bytes of the budget until they are released. */
type BodyRead =
  | { readonly ok: true; readonly body: Buffer }
  | { readonly ok: false; readonly reason: UnreadReason };

export type UnreadReason = 'too_large' | 'no_room' | 'aborted' | 'already_read';

/** One memory budget for the bodies of all connections: those that arrive and those that wait for the store. */
export interface BodyBudget {
  /**
   * Returns false, and takes nothing, when the bytes do not fit. `isWhole` says that they are a complete body, which is
   * verified at once and stays only when it is genuine.
   */
  reserve(bytes: number, isWhole?: boolean): boolean;
  release(bytes: number): void;
}

/** The share of the budget that only complete bodies may use. */
const WHOLE_BODY_SHARE = 1 / 4;
const empty: Buffer = Buffer.alloc(0);

/**
 * Reads the bytes of a request, and stops at `maxBytes` or when the budget is spent, before anything is computed
 * over them. `done` is called once. A body that another handler has read (`express.json()`) is `already_read`: its
 * bytes are gone, and a signature covers exactly those.
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  { budget, turns }: { readonly budget: BodyBudget; readonly turns: ReadingTurns },
  done: (read: BodyRead) => void,
): void {
  if (request.readableEnded || request.readableDidRead) {
    done({ ok: false, reason: 'already_read' });
    return;
  }
  const declared = Number(request.headers['content-length']);
  if (declared > maxBytes) {
    done({ ok: false, reason: 'too_large' });
    return;
  }
  let bytes: Buffer = empty;
  let size = 0;
  let isDone = false;

  const refuse = (reason: UnreadReason): void => {
    if (isDone) return;
    isDone = true;
    bytes = empty;
    budget.release(size);
    turns.leave(request);
    request.removeListener('data', onData);
    done({ ok: false, reason });
  };
  const onData = (chunk: Buffer): void => {
    if (size + chunk.length > maxBytes) refuse('too_large');
    else if (!budget.reserve(chunk.length, chunk.length === declared)) refuse('no_room');
    else {
      bytes = size === 0 ? chunk : append(bytes, size, chunk);
      size += chunk.length;
      const isMore = size !== declared && size > SMALL_BODY_BYTES;
      if (isMore && !turns.take(request, chunk.length, declared > 0)) refuse('no_room');
    }
  };
  request.on('data', onData);
  request.on('end', () => {
    if (isDone) return;
    isDone = true;
    turns.leave(request);
    const body = bytes.length === size ? bytes : bytes.subarray(0, size);
    // The newest request of an idle connection stays in memory; its body must not.
    bytes = empty;
    done({ ok: true, body });
  });
  request.on('close', () => refuse('aborted'));
  // An aborted upload also emits 'error'; the 'close' that follows is handled.
  request.on('error', ignore);
}

/**
 * Doubles the buffer as it grows. A list of chunks would be simpler, but the sender chooses their size: a body in
 * single bytes would occupy hundreds of times its length.
 */
function append(bytes: Buffer, size: number, chunk: Buffer): Buffer {
  const needed = size + chunk.length;
  let target = bytes;
  if (needed > bytes.length) {
    target = Buffer.allocUnsafeSlow(Math.max(needed, 2 * bytes.length));
    bytes.copy(target, 0, 0, size);
  }
  chunk.copy(target, size);
  return target;
}

function ignore(): void {}

/** Lets large bodies take turns, so that other connections are accepted and answered between them. */
export interface ReadingTurns {
  /**
   * Tells of a piece after which more will come; the next one may have to wait. False: too many wait, so this body should
   * be refused.
   */
  take(request: IncomingMessage, bytes: number, isDeclared: boolean): boolean;
  /** The body is read or given up. */
  leave(request: IncomingMessage): void;
}

/** A usual delivery has about 1 KB, and never waits. */
const SMALL_BODY_BYTES = 16 * 1024;
/** In one turn of the event loop; Node reads pieces of at most 64 KB. */
const BYTES_PER_TURN = 256 * 1024;
const RESUMED_PER_TURN = 4;
/** Node keeps some 80 KB of each body that waits. */
const MAX_WAITING = 400;
const MAX_CHUNKED = 32;

/**
 * Node accepts one connection in each turn of its event loop, and reads a piece of each body in it: three hundred large
 * bodies make a turn so long that a new connection waits for seconds. So a turn reads a bounded number of pieces. A body
 * without a declared length does not wait, because Node would keep each of its chunks, however small, as a buffer of its
 * own; only a few of them are read at the same time.
 */
export function createReadingTurns(): ReadingTurns {
  const waiting: IncomingMessage[] = [];
  /** One request of a connection waits; what it pipelines behind that is refused. */
  const waitingSockets = new Set<Socket>();
  const chunked = new Set<IncomingMessage>();
  let bytesInTurn = 0;
  let isScheduled = false;
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(beginTurn);
  };
  const beginTurn = (): void => {
    isScheduled = false;
    bytesInTurn = 0;
    for (const request of waiting.splice(0, RESUMED_PER_TURN)) {
      waitingSockets.delete(request.socket);
      request.resume();
    }
    if (waiting.length > 0) schedule();
  };
  return {
    take(request, bytes, isDeclared) {
      if (!isDeclared) {
        if (!chunked.has(request) && chunked.size >= MAX_CHUNKED) return false;
        chunked.add(request);
        return true;
      }
      bytesInTurn += bytes;
      schedule();
      if (bytesInTurn <= BYTES_PER_TURN && waiting.length === 0) return true;
      if (waiting.length >= MAX_WAITING || waitingSockets.has(request.socket)) return false;
      request.pause();
      waiting.push(request);
      waitingSockets.add(request.socket);
      return true;
    },
    leave: (request) => void chunked.delete(request),
  };
}

const MAX_DISCARDED_BYTES = 1024 * 1024;
const MAX_DISCARD_MS = 2000;

/**
 * Reads and drops the rest of a refused request's body, within limits. Closing the socket at once would reset the
 * connection and the sender would never see its answer.
 */
export function discardBody(request: IncomingMessage): void {
  if (request.complete) return;
  let discarded = 0;
  const giveUp = (): void => {
    request.socket.destroy();
  };
  const timer = setTimeout(giveUp, MAX_DISCARD_MS);
  timer.unref();
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > MAX_DISCARDED_BYTES) giveUp();
  });
  request.on('close', () => clearTimeout(timer));
  request.on('error', () => clearTimeout(timer));
  request.resume();
}

/**
 * `onChange` gets the change in bytes.
 *
 * Bodies that arrive in pieces may use only three quarters: a sender can begin thousands and finish none, and genuine
 * deliveries would get 503 for as long as a request may take. A usual delivery (1 KB) arrives in one piece. A limit per
 * peer would not help, because a flood has many peers and behind a proxy all senders are one.
 */
export function createBodyBudget(maxBytes: number, onChange: (bytes: number) => void): BodyBudget {
  const maxForPieces = maxBytes - Math.floor(maxBytes * WHOLE_BODY_SHARE);
  let held = 0;
  return {
    reserve(bytes, isWhole = false) {
      if (held + bytes > (isWhole ? maxBytes : maxForPieces)) return false;
      held += bytes;
      onChange(bytes);
      return true;
    },
    release(bytes) {
      held -= bytes;
      onChange(-bytes);
    },
  };
}
