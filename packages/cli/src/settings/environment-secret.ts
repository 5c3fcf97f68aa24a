import { z } from 'zod';

import { secretSchema } from './secret-schema.ts';

/**
 * A secret of the environment. `${…}` is filled in the settings file alone; taken as it stands here, it would be a secret
 * that is written in a deployment file for everybody to read.
 */
export const environmentSecret = z
  .string()
  .refine((value) => !/\$\{[^}]*\}/.test(value), {
    error: 'the secret itself, because ${…} is filled in aftermeet.yaml only',
    abort: true,
  })
  .pipe(secretSchema);
