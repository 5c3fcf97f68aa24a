import * as z from 'zod';

import { type Operation, type ParamPlace, paramPlaces } from '../operation.ts';

/** A field of an operation's input, for people. */
export interface FieldDescription {
  readonly name: string;
  readonly place: ParamPlace;
  /** What a caller writes. */
  readonly type: 'text' | 'list of texts' | 'whole number' | 'true or false' | 'bytes';
  readonly isRequired: boolean;
  /** What a value must be, as `expected` of a problem. */
  readonly rule: string;
  readonly meaning: string;
  /** True when the field is not in the specification. */
  readonly isObserved: boolean;
  /** Values that the specification shows; never all there are. */
  readonly examples: readonly string[];
  /** Values that were observed besides. */
  readonly observedExamples: readonly string[];
}

const types: Readonly<Record<string, FieldDescription['type']>> = {
  string: 'text',
  array: 'list of texts',
  integer: 'whole number',
  boolean: 'true or false',
};

/** What an operation takes, field by field in the order of the table. */
export function describeFields(operation: Operation): readonly FieldDescription[] {
  return listFields(operation).map(({ name, place, schema, isRequired }) => {
    const facts = factsSchema.parse(z.toJSONSchema(schema, { io: 'input' }));
    return {
      name,
      place,
      type: types[facts.type ?? ''] ?? 'bytes',
      isRequired,
      rule: readRule(schema),
      meaning: facts.description,
      isObserved: facts.observed,
      examples: facts.examples,
      observedExamples: facts.observedExamples,
    };
  });
}

const factsSchema = z.object({
  type: z.string().optional(),
  description: z.string(),
  observed: z.boolean().default(false),
  examples: z.array(z.string()).default([]),
  observedExamples: z.array(z.string()).default([]),
});

/** What a value must be. */
function readRule(schema: z.ZodType): string {
  const given: unknown = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return (
    (given instanceof z.ZodType ? given.safeParse(undefined).error?.issues[0]?.message : undefined) ?? ''
  );
}

/** A field of an operation's input. */
export interface OperationField {
  readonly place: ParamPlace;
  readonly name: string;
  readonly schema: z.ZodType;
  readonly isRequired: boolean;
}

/** All fields of an operation's input, in the order of the table. */
export function listFields(operation: Operation): readonly OperationField[] {
  return paramPlaces.flatMap((place) => {
    const fields: [string, z.ZodType][] = Object.entries(operation.params[place]?.shape ?? {});
    return fields.map(([name, schema]) => ({
      place,
      name,
      schema,
      isRequired: !schema.safeParse(undefined).success,
    }));
  });
}
