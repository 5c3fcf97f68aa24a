import { Readable } from 'node:stream';

import { createNodeContext, type NodeContext } from './n8n-context.ts';

export interface FileContextOptions {
  readonly baseUrl: string;
  /** By their names, `options.title` for one in a collection. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The file `data` of the item, as n8n describes it; without an id it stands in memory. */
  readonly binary?: Readonly<Record<string, unknown>>;
  readonly content?: Uint8Array;
  /** What n8n knows besides the item; default: nothing. */
  readonly fileSize?: number;
  readonly signal?: AbortSignal;
  /** In place of n8n's storage. */
  readonly store?: (source: Readable | Uint8Array) => Promise<Buffer>;
}

export interface FileContext {
  readonly context: NodeContext['execute'];
  readonly requests: NodeContext['requests'];
  /** What was stored, in order. */
  readonly stored: readonly {
    readonly bytes: Buffer;
    readonly filename: string;
    readonly mimeType: string;
  }[];
}

/** What n8n hands to a node that works on files; requests are really sent. */
export function createFileContext(options: FileContextOptions): FileContext {
  const { baseUrl, parameters, binary, content = new Uint8Array(0), fileSize, signal } = options;
  const stored: { bytes: Buffer; filename: string; mimeType: string }[] = [];
  const store = options.store ?? collect;
  const helpers = {
    assertBinaryData: () => binary,
    getBinaryDataBuffer: async () => Buffer.from(content),
    getBinaryMetadata: async () => ({ fileSize }),
    getBinaryStream: async () => Readable.from(content.length === 0 ? [] : [content]),
    async prepareBinaryData(source: Readable | Uint8Array, filename: string, mimeType: string) {
      const bytes = await store(source);
      stored.push({ bytes, filename, mimeType });
      return { id: `stored:${stored.length}`, fileName: filename, mimeType, bytes: bytes.length, data: '' };
    },
  };
  const timeZone = 'Europe/Berlin';
  const { execute, requests } = createNodeContext({ baseUrl, parameters, timeZone, signal, helpers });
  return { context: execute, requests, stored };
}

async function collect(source: Readable | Uint8Array): Promise<Buffer> {
  if (source instanceof Uint8Array) return Buffer.from(source);
  const pieces: Buffer[] = [];
  for await (const piece of source) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}
