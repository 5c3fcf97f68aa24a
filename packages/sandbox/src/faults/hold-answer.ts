import type { Response } from 'express';

/** An answer that is made and not sent. */
export interface HeldAnswer {
  readonly response: Response;
  readonly body: Buffer;
  /** The response's own `write` and `end`, which do send. */
  readonly write: (bytes: Uint8Array) => void;
  readonly end: () => void;
}

/**
 * Keeps back everything that is written to the response, whoever writes it and in whatever pieces, and hands it over
 * when it is whole. The head goes out with the first byte.
 */
export function holdAnswer(response: Response, release: (answer: HeldAnswer) => void): void {
  const pieces: Buffer[] = [];
  const write = response.write.bind(response);
  const end = response.end.bind(response);
  const hold = (...given: readonly unknown[]): void => {
    const [piece, encoding] = given;
    if (typeof piece === 'string') pieces.push(Buffer.from(piece, readEncoding(encoding)));
    else if (piece instanceof Uint8Array) pieces.push(Buffer.from(piece));
    const done = given.find((part) => typeof part === 'function');
    if (done !== undefined) process.nextTick(done);
  };
  response.flushHeaders = () => {};
  response.write = (...given: unknown[]): boolean => {
    hold(...given);
    return true;
  };
  response.end = (...given: unknown[]): Response => {
    hold(...given);
    release({ response, body: Buffer.concat(pieces), write, end });
    return response;
  };
}

function readEncoding(encoding: unknown): BufferEncoding {
  return typeof encoding === 'string' && Buffer.isEncoding(encoding) ? encoding : 'utf8';
}
