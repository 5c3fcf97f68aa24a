import type { Operation, ParamPlace } from '@aftermeet/contract';
import type { z } from 'zod';

const places: readonly ParamPlace[] = ['path', 'query', 'body', 'form'];

export interface ContractField {
  readonly name: string;
  readonly place: ParamPlace;
  readonly schema: z.ZodType;
  readonly required: boolean;
}

/** All fields of an operation of the contract, in the order of the wire. */
export function listContractFields({ params }: Operation): readonly ContractField[] {
  return places.flatMap((place) => {
    const shape: Readonly<Record<string, z.ZodType>> = params[place]?.shape ?? {};
    return Object.entries(shape).map(([name, schema]) => ({
      name,
      place,
      schema,
      required: !schema.safeParse(undefined).success,
    }));
  });
}
