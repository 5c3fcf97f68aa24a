import { z } from 'zod';

import { mustBe } from './rule.ts';

const schema = z
  .unknown()
  .refine((value) => value instanceof Uint8Array, { error: mustBe('bytes (Uint8Array or Buffer)') })
  .meta({
    // JSON Schema 2020-12 has no type for raw bytes.
    contentMediaType: 'application/octet-stream',
    description: 'The bytes of this chunk, under the file name; none in the last request',
  });

/**
 * The bytes of a multipart file part. JSON Schema has no class for bytes, so the schema takes `unknown` and
 * checks; this is the package's one cast, and it says what the check has proved.
 */
export const filePart = schema as unknown as z.ZodType<Uint8Array, Uint8Array>;
