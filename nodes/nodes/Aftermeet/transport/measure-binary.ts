import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

/** The size of a binary file in bytes; undefined where n8n does not know it. `fileSize` of the item is a text, rounded. */
export async function measureBinary(
  context: IExecuteFunctions,
  { id, bytes }: IBinaryData,
): Promise<number | undefined> {
  if (bytes !== undefined || id === undefined) return bytes;
  const { fileSize } = await context.helpers.getBinaryMetadata(id);
  return typeof fileSize === 'number' ? fileSize : undefined;
}
