/**
 * The memory of one chunk in flight, used again for every chunk it carries. The form's head is put right before
 * the chunk's bytes and its tail right behind them, so that the whole request is one range of it.
 */
export interface ChunkBuffer {
  /** Where the chunk's bytes go. */
  data(length: number): Uint8Array;
  /** The request's body around the first `length` bytes of `data`; valid until the next frame. */
  frame(head: Uint8Array, length: number, tail: Uint8Array): Uint8Array;
}

/** `headRoom` and `tailRoom`: the longest head and tail that will be asked for. */
export function createChunkBuffer(chunkBytes: number, headRoom: number, tailRoom: number): ChunkBuffer {
  // Filling it with zeros would touch each page twice; only what was written is ever sent.
  const memory = Buffer.allocUnsafeSlow(headRoom + chunkBytes + tailRoom);
  return {
    data: (length) => memory.subarray(headRoom, headRoom + length),
    frame: (head, length, tail) => {
      const start = headRoom - head.length;
      const end = headRoom + length;
      memory.set(head, start);
      memory.set(tail, end);
      return memory.subarray(start, end + tail.length);
    },
  };
}
