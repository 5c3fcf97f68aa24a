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
type Definitions = Readonly<Record<string, unknown>>;

const schemas = new Map<Vendor, Promise<VendorSchema>>();
const definitionFiles = new Map<Vendor, Promise<Definitions>>();

/** Loads `schemas/<vendor>.json` and the validator at the first call: both are slow to load. A definition is compiled at its first check. */
export function loadVendorSchema(vendor: Vendor): Promise<VendorSchema> {
  return getOrLoad(schemas, vendor, openSchema);
}

/** The definitions alone, without the validator. */
export function loadVendorDefinitions(vendor: Vendor): Promise<Definitions> {
  return getOrLoad(definitionFiles, vendor, readDefinitions);
}

function getOrLoad<Key, Value>(
  loaded: Map<Key, Promise<Value>>,
  key: Key,
  load: (key: Key) => Promise<Value>,
): Promise<Value> {
  const known = loaded.get(key);
  if (known !== undefined) return known;
  const loading = load(key);
  loaded.set(key, loading);
  return loading;
}

const fileSchema = z.object({ definitions: z.record(z.string(), z.unknown()) });

async function readDefinitions(vendor: Vendor): Promise<Definitions> {
  const file = new URL(`../../schemas/${vendor}.json`, import.meta.url);
  return fileSchema.parse(JSON.parse(await readFile(file, 'utf8'))).definitions;
}

async function openSchema(vendor: Vendor): Promise<VendorSchema> {
  const [{ Ajv }, definitions] = await Promise.all([import('ajv'), loadVendorDefinitions(vendor)]);
  // Without optimization compiling takes half as long, and checks are as fast.
  const code = { optimize: false };
  const ajv = new Ajv({ strict: false, allErrors: true, discriminator: true, validateSchema: false, code });
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
