import type { IncomingMessage } from 'node:http';

export type BodyRead =
  | { readonly ok: true; readonly body: Buffer }
  | { readonly ok: false; readonly reason: 'too_large' | 'aborted' | 'already_read' };

/**
 * Reads the bytes of a request, and stops at `maxBytes` before anything is computed over them.
 * A body that another handler consumed first (`express.json()`) is `already_read`: its bytes are gone,
 * and a signature can't be checked over anything else.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<BodyRead> {
  if (request.readableEnded || request.readableDidRead) {
    return Promise.resolve({ ok: false, reason: 'already_read' });
  }
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > maxBytes) return Promise.resolve({ ok: false, reason: 'too_large' });

  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (result: BodyRead): void => {
      request.removeListener('data', onData);
      request.removeListener('end', onEnd);
      request.removeListener('close', onAbort);
      resolve(result);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > maxBytes) finish({ ok: false, reason: 'too_large' });
      else chunks.push(chunk);
    };
    const onEnd = (): void => {
      const [only] = chunks;
      finish({
        ok: true,
        body: chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size),
      });
    };
    const onAbort = (): void => finish({ ok: false, reason: 'aborted' });
    request.on('data', onData);
    request.on('end', onEnd);
    request.on('close', onAbort);
    // An aborted upload also emits 'error'; 'close' follows and is the one that is handled.
    request.on('error', () => {});
  });
}
