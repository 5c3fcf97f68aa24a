import { readFile } from 'node:fs/promises';

import { z } from 'zod';

/** One thing that is wrong with a value, in the validator's words. */
export interface SchemaProblem {
  /** JSON pointer (RFC 6901) to the place; '' is the value itself. */
  readonly pointer: string;
  /** The broken rule: `required`, `type`, `enum`, `const`, `additionalProperties`, `anyOf`, `discriminator`, ... */
  readonly keyword: string;
  /** The rule's facts, such as `missingProperty`, `additionalProperty`, `allowedValues`, `type`. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly message: string;
  /** Where the rule is in the schema: `#/properties/text/allOf/1/...`. */
  readonly schemaPath: string;
}

/** JSON schemas made from one vendor's published types. */
export interface VendorSchema {
  /** The problems of a value; empty when it fits. Throws when there is no such definition. */
  readonly check: (definition: string, value: unknown) => readonly SchemaProblem[];
  /** A definition as it is written; undefined when there is no such definition. */
  readonly get: (definition: string) => unknown;
}

type Vendor = 'slack' | 'notion';

const schemas = new Map<Vendor, Promise<VendorSchema>>();

/** Loads `schemas/<vendor>.json` and the validator at the first call: both are slow to load. A definition is compiled at its first check. */
export function loadVendorSchema(vendor: Vendor): Promise<VendorSchema> {
  const known = schemas.get(vendor);
  if (known !== undefined) return known;
  const opening = openSchema(vendor);
  schemas.set(vendor, opening);
  return opening;
}

const fileSchema = z.object({ definitions: z.record(z.string(), z.unknown()) });

/** Notion's unions are large: inlined they take seconds to compile, and all errors of a wrong body quadratic time to collect. */
const vendorOptions = {
  slack: { allErrors: true },
  notion: { allErrors: false, inlineRefs: false },
} as const;

async function openSchema(vendor: Vendor): Promise<VendorSchema> {
  const file = new URL(`../../schemas/${vendor}.json`, import.meta.url);
  const [{ Ajv }, text] = await Promise.all([import('ajv'), readFile(file, 'utf8')]);
  const { definitions } = fileSchema.parse(JSON.parse(text));
  // Without optimization compiling takes half as long, and checks are as fast.
  const code = { optimize: false };
  const ajv = new Ajv({
    strict: false,
    discriminator: true,
    validateSchema: false,
    code,
    ...vendorOptions[vendor],
  });
  ajv.addSchema({ definitions }, 'vendor');
  return {
    get: (definition) => definitions[definition],
    check(definition, value) {
      const validate = ajv.getSchema(`vendor#/definitions/${definition}`);
      if (validate === undefined) throw new Error(`The vendor's types have no ${definition}.`);
      if (validate(value) === true) return [];
      return (validate.errors ?? []).map(({ instancePath, keyword, params, message, schemaPath }) => ({
        pointer: instancePath,
        keyword,
        params,
        message: message ?? keyword,
        schemaPath,
      }));
    },
  };
}
