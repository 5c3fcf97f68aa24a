export interface ReadLimits {
  /** What is longer is a `RangeError`. */
  readonly maxBytes: number;
  /** The time, in Unix milliseconds, at which a body that is still coming is given up: a `TimeoutError`. */
  readonly deadlineMs: number;
  readonly clock: () => number;
}

/**
 * The bytes of an answer's body, which n8n hands over as a stream. Its own limit of time begins again with every piece, and of
 * size it has none: a body that drips, or never ends, would hold the execution for ever or fill the memory of n8n.
 */
export async function readBytes(body: unknown, limits: ReadLimits): Promise<Uint8Array> {
  if (body instanceof Uint8Array) return body;
  if (!isStream(body)) return new TextEncoder().encode(typeof body === 'string' ? body : '');
  const pieces: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop by an error destroys the stream, and with it the connection.
  for await (const piece of body) {
    const bytes = piece instanceof Uint8Array ? piece : new TextEncoder().encode(String(piece));
    size += bytes.length;
    if (size > limits.maxBytes) throw new RangeError(`the answer is over ${limits.maxBytes} bytes`);
    if (limits.clock() > limits.deadlineMs)
      throw new DOMException('the answer took too long', 'TimeoutError');
    pieces.push(bytes);
  }
  return Buffer.concat(pieces);
}

function isStream(body: unknown): body is AsyncIterable<unknown> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
