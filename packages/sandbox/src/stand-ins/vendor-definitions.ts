import { readFile } from 'node:fs/promises';

import { z } from 'zod';

export type Vendor = 'slack' | 'notion';
export type Definitions = Readonly<Record<string, unknown>>;

const fileSchema = z.object({ definitions: z.record(z.string(), z.unknown()) });

const loaded = new Map<Vendor, Promise<Definitions>>();

/** The JSON schemas that were made from a vendor's published types, by their names. Read at the first call. */
export function readVendorDefinitions(vendor: Vendor): Promise<Definitions> {
  const known = loaded.get(vendor);
  if (known !== undefined) return known;
  const file = new URL(`../../schemas/${vendor}.json`, import.meta.url);
  const loading = readFile(file, 'utf8').then((text) => fileSchema.parse(JSON.parse(text)).definitions);
  loaded.set(vendor, loading);
  return loading;
}
