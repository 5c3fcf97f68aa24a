/** One data chunk: bytes `offset` to `offset + length` of the file. */
export interface PlannedChunk {
  readonly number: number;
  readonly offset: number;
  readonly length: number;
}

export interface UploadPlan {
  /** In the order of the file, numbered from 0. */
  readonly chunks: readonly PlannedChunk[];
  /** The data chunks and the empty one that completes the upload (specification, "File upload", rules 2 to 4). */
  readonly chunkTotal: number;
}

/** Cuts a file of `size` bytes into chunks of `chunkBytes`; only the last one may be shorter. Both at least 1. */
export function planUpload(size: number, chunkBytes: number): UploadPlan {
  const count = Math.ceil(size / chunkBytes);
  const chunks = Array.from({ length: count }, (_, number) => {
    const offset = number * chunkBytes;
    return { number, offset, length: Math.min(chunkBytes, size - offset) };
  });
  return { chunks, chunkTotal: count + 1 };
}
