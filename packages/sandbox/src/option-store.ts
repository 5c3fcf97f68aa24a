import { suggestName } from '@aftermeet/contract';
import type { z } from 'zod';

/** Options that can be changed while a server runs. */
export interface OptionStore<Options extends object> {
  readonly get: () => Options;
  /** Changes some options; the others stay. Throws `RangeError` on an invalid value, and changes nothing then. */
  readonly set: (changes: Partial<Options>) => void;
  /** As `set`, for input from outside; a refusal says what is wrong. */
  readonly trySet: (input: unknown) => OptionOutcome<Options>;
  /** Back to the values at the start. */
  readonly reset: () => void;
}

export type OptionOutcome<Options> = { readonly options: Options } | { readonly refusal: string };

type OptionSchema<Options> = z.ZodType<Options> & { readonly shape: object };

/** Options from outside. */
export function readOptions<Options extends object>(
  schema: OptionSchema<Options>,
  given: unknown,
): OptionOutcome<Options> {
  const names = Object.keys(schema.shape);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return { refusal: `Options are an object of ${names.join(', ')}.` };
  }
  const parsed = schema.safeParse(given);
  return parsed.success ? { options: parsed.data } : { refusal: describeIssue(parsed.error, names) };
}

/** Throws `RangeError` when the options at the start are wrong. */
export function createOptionStore<Options extends object>(
  schema: OptionSchema<Options>,
  initial: object,
): OptionStore<Options> {
  const first = mustBeOptions(readOptions(schema, initial));
  let options = first;

  function trySet(input: unknown): OptionOutcome<Options> {
    const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
    const outcome = readOptions(schema, isObject ? { ...options, ...input } : input);
    if ('options' in outcome) options = outcome.options;
    return outcome;
  }

  return {
    get: () => options,
    set(changes) {
      mustBeOptions(trySet(changes));
    },
    trySet,
    reset() {
      options = first;
    },
  };
}

function mustBeOptions<Options>(outcome: OptionOutcome<Options>): Options {
  if ('refusal' in outcome) throw new RangeError(outcome.refusal);
  return outcome.options;
}

/** Names the option that is wrong; never repeats a value. */
function describeIssue({ issues: [issue] }: z.ZodError, names: readonly string[]): string {
  if (issue?.code === 'unrecognized_keys' && issue.path.length === 0) {
    return `There is no such option: ${suggestName(issue.keys[0] ?? '', names)}.`;
  }
  const place = issue === undefined || issue.path.length === 0 ? 'The body' : issue.path.join('.');
  return `${place}: ${issue?.message ?? 'is invalid'}.`;
}
