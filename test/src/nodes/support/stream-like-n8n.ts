import { Readable } from 'node:stream';

/** A body as n8n hands it over: axios reads it by a generator, so that `destroy` takes effect with the next bytes at the earliest. */
export function streamLikeN8n(body: AsyncIterable<Uint8Array>): Readable {
  async function* read(): AsyncGenerator<Uint8Array> {
    for await (const piece of body) yield piece;
  }
  return Readable.from(read(), { objectMode: false });
}
