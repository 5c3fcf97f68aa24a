import { suggestName } from '@aftermeet/contract';
import type { z } from 'zod';

import type { RecipeProblem } from './recipe.ts';

/** What was found where the schema refuses a value, which is not repeated. */
export const WRONG_VALUE = 'a value that does not fit';

/**
 * What a schema found wrong, as problems for people; the values themselves are not repeated. With `given`, what is not
 * there at all is told as such.
 */
export function listSchemaProblems(
  error: z.ZodError,
  prefix: string,
  knownKeys: readonly string[],
  given?: Readonly<Record<string, unknown>>,
): readonly RecipeProblem[] {
  return error.issues.flatMap((issue) => {
    const setting = [prefix, ...issue.path.map(String)].join('.');
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        setting: `${setting}.${key}`,
        found: 'a setting that is not known',
        expected: knownKeys.length === 0 ? 'no settings here' : suggestName(key, knownKeys),
      }));
    }
    const [name, ...inner] = issue.path.map(String);
    const isAbsent =
      given !== undefined && inner.length === 0 && name !== undefined && given[name] === undefined;
    return [{ setting, found: isAbsent ? 'nothing' : WRONG_VALUE, expected: issue.message }];
  });
}
