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
