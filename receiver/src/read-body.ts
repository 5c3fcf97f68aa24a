import type { IncomingMessage } from 'node:http';

import type { HeldBytes } from './held-bytes.ts';

/** A body that was read holds its `size` bytes of the budget until they are released. */
export type BodyRead =
  | { readonly ok: true; readonly body: Buffer }
  | { readonly ok: false; readonly reason: UnreadReason };

export type UnreadReason = 'too_large' | 'no_room' | 'aborted' | 'already_read';

/**
 * Reads the bytes of a request, and stops at `maxBytes` or when the budget is spent, before anything is computed
 * over them. `done` is called once. A body that another handler consumed first (`express.json()`) is
 * `already_read`: its bytes are gone, and a signature can't be checked over anything else.
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  held: HeldBytes,
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
    held.release(size);
    request.removeListener('data', onData);
    done({ ok: false, reason });
  };
  const onData = (chunk: Buffer): void => {
    if (size + chunk.length > maxBytes) refuse('too_large');
    else if (!held.reserve(chunk.length, chunk.length === declared)) refuse('no_room');
    else {
      bytes = size === 0 ? chunk : append(bytes, size, chunk);
      size += chunk.length;
    }
  };
  request.on('data', onData);
  request.on('end', () => {
    if (isDone) return;
    isDone = true;
    const body = bytes.length === size ? bytes : bytes.subarray(0, size);
    // The newest request of an idle connection is remembered; its body must not be.
    bytes = empty;
    done({ ok: true, body });
  });
  request.on('close', () => refuse('aborted'));
  // An aborted upload also emits 'error'; 'close' follows and is the one that is handled.
  request.on('error', ignore);
}

const empty: Buffer = Buffer.alloc(0);

/**
 * Grows by doubling. A list of the chunks would be simpler, but a sender chooses their size: a body that comes in
 * single bytes would occupy hundreds of times its length.
 */
function append(bytes: Buffer, size: number, chunk: Buffer): Buffer {
  const needed = size + chunk.length;
  let room = bytes;
  if (needed > bytes.length) {
    room = Buffer.allocUnsafeSlow(Math.max(needed, 2 * bytes.length));
    bytes.copy(room, 0, 0, size);
  }
  chunk.copy(room, size);
  return room;
}

function ignore(): void {}
