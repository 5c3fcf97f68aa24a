import type { z } from 'zod';

import { type Operation, type ParamPlace, paramPlaces } from './operation.ts';

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
