import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

/** What n8n stores files from, beside a Buffer: a `Readable` of Node.js, whose module may not be named in a node. */
export type FileStream = Exclude<Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0], Buffer>;

const methods = ['iterator', 'unshift', 'destroy', 'map', 'on', 'once'] as const;

/** Whether a body that n8n answered is a stream. */
export function isFileStream(body: unknown): body is FileStream {
  if (typeof body !== 'object' || body === null) return false;
  return methods.every((name) => name in body && typeof Reflect.get(body, name) === 'function');
}

/** The size of a binary file in bytes; undefined where n8n does not know it. `fileSize` of the item is a text, rounded. */
export async function measureBinary(
  context: IExecuteFunctions,
  { id, bytes }: IBinaryData,
): Promise<number | undefined> {
  if (bytes !== undefined || id === undefined) return bytes;
  const { fileSize } = await context.helpers.getBinaryMetadata(id);
  return typeof fileSize === 'number' ? fileSize : undefined;
}

interface ReadLimits {
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
