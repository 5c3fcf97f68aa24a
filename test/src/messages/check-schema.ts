import { loadVendorSchema } from '@aftermeet/sandbox';

/** What a vendor's published types find wrong with a call's arguments: the first of it. */
export async function checkSchema(
  vendor: 'slack' | 'notion',
  definition: string,
  value: unknown,
): Promise<readonly string[]> {
  const schema = await loadVendorSchema(vendor);
  return schema
    .check(definition, value)
    .slice(0, 5)
    .map(({ pointer, message }) => `${definition}${pointer}: ${message}`);
}
