import { suggestName } from '@aftermeet/contract';
import type { z } from 'zod';

/** Options that can be changed while a server runs. */
export interface OptionStore<Options extends object> {
  readonly get: () => Options;
  /** Changes some options; the others stay. Throws `RangeError` on an invalid value, and changes nothing then. */
  readonly set: (changes: Partial<Options>) => void;
  /** As `set`, for input from outside; a refusal says what is wrong. */
  readonly trySet: (input: unknown) => { readonly options: Options } | { readonly refusal: string };
  /** Back to the values at the start. */
  readonly reset: () => void;
}

/** `schema` has every option and no defaults. */
export function createOptionStore<Options extends object>(
  schema: z.ZodType<Options>,
  initial: Options,
): OptionStore<Options> {
  const first = schema.parse(initial);
  let options = first;

  function trySet(input: unknown): { readonly options: Options } | { readonly refusal: string } {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) {
      return { refusal: `Options are an object of ${Object.keys(options).join(', ')}.` };
    }
    const parsed = schema.safeParse({ ...options, ...input });
    if (!parsed.success) return { refusal: describeIssue(parsed.error, Object.keys(options)) };
    options = parsed.data;
    return { options };
  }

  return {
    get: () => options,
    set(changes) {
      const outcome = trySet(changes);
      if ('refusal' in outcome) throw new RangeError(outcome.refusal);
    },
    trySet,
    reset() {
      options = first;
    },
  };
}

/** Names the option that is wrong; never repeats a value. */
function describeIssue({ issues: [issue] }: z.ZodError, names: readonly string[]): string {
  if (issue?.code === 'unrecognized_keys' && issue.path.length === 0) {
    return `There is no such option: ${suggestName(issue.keys[0] ?? '', names)}.`;
  }
  const place = issue === undefined || issue.path.length === 0 ? 'The body' : issue.path.join('.');
  return `${place}: ${issue?.message ?? 'is invalid'}.`;
}
