import { buffer } from 'node:stream/consumers';

import { describe, expect, it } from 'vitest';

import { spoolStream } from './spool-stream.ts';

const pieces = Array.from({ length: 5 }, (_piece, at) => new Uint8Array(50_000).fill(at));

async function* stream(ended: string[] = []): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } finally {
    ended.push('ended');
  }
}

describe('spoolStream', () => {
  it('keeps what came, to be read from its beginning each time', async () => {
    const spooled = await spoolStream(stream(), 250_000);
    if (spooled === undefined) throw new Error('nothing is kept');
    expect(spooled.bytes).toBe(250_000);
    for await (const piece of spooled.read()) {
      expect(piece[0]).toBe(0);
      break;
    }
    expect((await buffer(spooled.read())).equals(Buffer.concat(pieces))).toBe(true);
    await spooled.discard();
    await spooled.discard();
    await expect(buffer(spooled.read())).rejects.toThrow('closed');
  });

  it('leaves what is too long where it is', async () => {
    const ended: string[] = [];
    expect(await spoolStream(stream(ended), 249_999)).toBeUndefined();
    expect(ended).toEqual(['ended']);
  });

  it('throws what the stream throws', async () => {
    const broken = new ReadableStream<Uint8Array>({ start: (out) => out.error(new Error('gone')) });
    await expect(spoolStream(broken, 9)).rejects.toThrow('gone');
  });
});
