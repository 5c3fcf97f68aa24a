import { z } from 'zod';

import { mustBe } from './rule.ts';

const schema = z
  .unknown()
  .refine((value) => value instanceof Uint8Array, { error: mustBe('bytes (Uint8Array or Buffer)') })
  .meta({
    type: 'string',
    format: 'binary',
    description: 'The bytes of this chunk; empty in the final request',
  });

/**
 * The bytes of a multipart file part. JSON Schema has no class for bytes, so the schema takes `unknown` and
 * checks; this is the package's one cast, and it says what the check has proved.
 */
export const filePart = schema as unknown as z.ZodType<Uint8Array, Uint8Array>;
