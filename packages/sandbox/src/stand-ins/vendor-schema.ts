import { readVendorDefinitions, type Vendor } from './vendor-definitions.ts';

/** One thing that is wrong with a value, in the validator's words. */
export interface SchemaProblem {
  /** JSON pointer (RFC 6901) to the place; '' is the value itself. */
  readonly pointer: string;
  /** The rule that is broken: `required`, `type`, `enum`, `const`, `additionalProperties`, `anyOf`, `discriminator`, ... */
  readonly keyword: string;
  /** The rule's facts, such as `missingProperty`, `additionalProperty`, `allowedValues`, `type`. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly message: string;
  /** Where the rule stands in the schema: `#/properties/text/allOf/1/...`. */
  readonly schemaPath: string;
}

/** The JSON schemas made from one vendor's published types. */
export interface VendorSchema {
  /** Everything that is wrong with a value by the definition of that name; empty when it fits. Throws when there is no such definition. */
  readonly check: (definition: string, value: unknown) => readonly SchemaProblem[];
  /** A definition as it is written; undefined when there is no such definition. */
  readonly read: (definition: string) => unknown;
}

const loaded = new Map<Vendor, Promise<VendorSchema>>();

/** Reads `schemas/<vendor>.json` and the validator at the first call: both are slow to load. A definition is compiled when it is first asked for. */
export function loadVendorSchema(vendor: Vendor): Promise<VendorSchema> {
  const known = loaded.get(vendor);
  if (known !== undefined) return known;
  const loading = openSchema(vendor);
  loaded.set(vendor, loading);
  return loading;
}

async function openSchema(vendor: Vendor): Promise<VendorSchema> {
  const [{ Ajv }, definitions] = await Promise.all([import('ajv'), readVendorDefinitions(vendor)]);
  // Compiling is what a short-lived process feels: unoptimised it takes half as long, and checks as fast.
  const code = { optimize: false };
  const ajv = new Ajv({ strict: false, allErrors: true, discriminator: true, validateSchema: false, code });
  ajv.addSchema({ definitions }, 'vendor');
  return {
    read: (definition) => definitions[definition],
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
