import { suggestName } from '@aftermeet/contract';
import { z } from 'zod';

import type { BuiltInMessage } from '../destinations/messages.ts';
import type { Destinations } from '../destinations/settings.ts';
import type {
  BoundRecipe,
  MeetingEvent,
  PlannedEffect,
  PrebuiltRecipe,
  RecipeOption,
  RecipeProblem,
  RecipeSchedule,
  RecipeInput,
} from '../engine/recipe.ts';

/** What is particular to a prebuilt recipe. Each option says in its description what it does. */
interface PrebuiltDeclaration<Shape extends z.ZodRawShape> extends Pick<
  PrebuiltRecipe,
  'id' | 'description' | 'destination' | 'events' | 'transcript'
> {
  /** What it is made from; absent: the report. */
  readonly reads?: PrebuiltRecipe['reads'];
  /** Absent: the meeting. */
  readonly tells?: PrebuiltRecipe['tells'];
  readonly options: z.ZodObject<Shape>;
  plan(
    event: MeetingEvent,
    options: z.output<z.ZodObject<Shape>>,
    destinations: Destinations,
  ): readonly PlannedEffect[];
  present(options: z.output<z.ZodObject<Shape>>, destinations: Destinations): RecipeInput<BuiltInMessage>;
  /** When it runs by the clock; absent: events alone make it run. */
  schedule?(options: z.output<z.ZodObject<Shape>>): RecipeSchedule;
}

/** A prebuilt recipe whose messages are those of the destinations that come with the toolkit. */
export interface BuiltInRecipe extends PrebuiltRecipe {
  bind(
    values: Readonly<Record<string, unknown>>,
    destinations: Destinations,
  ): Pick<BoundRecipe, 'plan' | 'schedule'> & { readonly input: RecipeInput<BuiltInMessage> };
}

/** Makes a prebuilt recipe of its declaration: from then on its options are checked in one place. */
export function definePrebuiltRecipe<Shape extends z.ZodRawShape>(
  declaration: PrebuiltDeclaration<Shape>,
): BuiltInRecipe {
  const { id, description, destination, events, transcript, options } = declaration;
  const { reads = 'report', tells = 'meeting' } = declaration;
  const names = Object.keys(options.shape);
  return {
    id,
    description,
    destination,
    events,
    transcript,
    reads,
    tells,
    options: names.map((name) => describeOption(options, name)),
    check: (values) => {
      const parsed = options.safeParse(values);
      return parsed.success ? [] : listSchemaProblems(parsed.error, 'with', names, values);
    },
    bind: (values, destinations) => {
      const parsed = options.parse(values);
      const schedule = declaration.schedule?.(parsed);
      return {
        plan: (event) => declaration.plan(event, parsed, destinations),
        input: declaration.present(parsed, destinations),
        ...(schedule === undefined ? {} : { schedule }),
      };
    },
  };
}

function describeOption(options: z.ZodObject, name: string): RecipeOption {
  const field: unknown = options.shape[name];
  if (!(field instanceof z.ZodType)) return { name, description: '' };
  const { data: usual } = field.safeParse(undefined);
  return { name, description: field.description ?? '', ...(usual === undefined ? {} : { default: usual }) };
}

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
    return [{ setting, found: isAbsent ? 'nothing' : 'a value that does not fit', expected: issue.message }];
  });
}
