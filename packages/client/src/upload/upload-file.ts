/** A source that has been opened: its size is known, and its bytes can be asked for. */
export interface UploadFile {
  readonly size: number;
  readonly filename: string;
  /** Bytes can be asked for a second time. A stream's cannot: they must be asked for once, in their order. */
  readonly rereadable: boolean;
  /** Of a file that is there under a path: what tells it from others, and from itself after a change. */
  readonly identity?: FileIdentity;
  /** Fills all of `into` with what stands at `offset`. Throws `conflict` when the file is no longer what it was. */
  fill(into: Uint8Array, offset: number, signal?: AbortSignal): Promise<void>;
  /** The same check without reading; to be made when all has been read. */
  verify(signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface FileIdentity {
  /** Absolute, without links. */
  readonly path: string;
  /** Nanoseconds since 1970, as digits. */
  readonly modified: string;
}
