import { z } from 'zod';

import { observedErrorCodes } from '../error-codes.ts';

/** The observed JSON of an error; to read one, use `errorBody`. */
export const errorShape = z
  .looseObject({
    code: z
      .string()
      .meta({
        description: 'What went wrong, for programs; an open set',
        observedExamples: observedErrorCodes,
      })
      .optional(),
    message: z.string().meta({ description: 'What went wrong, for people' }).optional(),
    field: z.string().meta({ description: 'The field that is wrong, where it is one' }).optional(),
  })
  .meta({ description: 'Why a request was refused', observed: true });
