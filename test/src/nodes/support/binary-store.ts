import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** A file that an item brings. */
export interface GivenFile {
  readonly bytes: Uint8Array;
  readonly fileName?: string;
  readonly mimeType?: string;
}

/** What n8n keeps of a file in an item, in its mode `filesystem`. */
interface StoredFile {
  readonly id: string;
  readonly data: string;
  readonly mimeType: string;
  readonly bytes: number;
  readonly fileName?: string;
  readonly fileExtension?: string;
}

/** n8n's binary data, in memory. */
export function createBinaryStore(givenFiles: Readonly<Record<string, GivenFile>>) {
  const contents = new Map<string, Buffer>();

  function store(bytes: Uint8Array, fileName?: string, mimeType = 'application/octet-stream'): StoredFile {
    const id = `memory:${contents.size + 1}`;
    contents.set(id, Buffer.from(bytes));
    const fileExtension = /\.(\w+)$/.exec(fileName ?? '')?.[1];
    return {
      id,
      data: 'filesystem-v2',
      mimeType,
      bytes: bytes.byteLength,
      ...(fileName === undefined ? {} : { fileName }),
      ...(fileExtension === undefined ? {} : { fileExtension }),
    };
  }

  const given = Object.fromEntries(
    Object.entries(givenFiles).map(([name, { bytes, fileName, mimeType }]) => [
      name,
      store(bytes, fileName, mimeType),
    ]),
  );

  function find(id: string): Buffer {
    const content = contents.get(id);
    if (content === undefined) throw new Error(`There is no file ${id}`);
    return content;
  }

  function read(file: unknown): Buffer {
    if (typeof file === 'object' && file !== null && 'id' in file) return find(String(file.id));
    throw new Error('This is no stored file');
  }

  return {
    given,
    read,
    helpers: {
      assertBinaryData(_itemIndex: number, name: string | StoredFile): StoredFile {
        const file = typeof name === 'string' ? given[name] : name;
        if (file === undefined)
          throw new Error(
            `This operation expects the node's input data to contain a binary file '${typeof name === 'string' ? name : name.id}', but none was found`,
          );
        return file;
      },
      async getBinaryDataBuffer(_itemIndex: number, name: string | StoredFile): Promise<Buffer> {
        return read(typeof name === 'string' ? given[name] : name);
      },
      async getBinaryStream(id: string, chunkSize = 64 * 1024): Promise<Readable> {
        const content = find(id);
        const count = Math.ceil(content.byteLength / chunkSize);
        return Readable.from(
          Array.from({ length: count }, (_, index) =>
            content.subarray(index * chunkSize, (index + 1) * chunkSize),
          ),
        );
      },
      async getBinaryMetadata(id: string): Promise<{ fileSize: number }> {
        return { fileSize: find(id).byteLength };
      },
      async prepareBinaryData(
        source: Uint8Array | Readable,
        fileName?: string,
        mimeType?: string,
      ): Promise<StoredFile> {
        return store(source instanceof Readable ? await buffer(source) : source, fileName, mimeType);
      },
    },
  };
}
