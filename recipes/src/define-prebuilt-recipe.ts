import { z } from 'zod';

import type { Destinations } from './destinations.ts';
import type {
  MeetingEvent,
  PlannedEffect,
  PrebuiltRecipe,
  RecipeOption,
  RecipeSchedule,
  RecipeSubject,
} from './recipe.ts';
import { listSchemaProblems } from './schema-problems.ts';

/** What is particular to a prebuilt recipe. Each option says in its description what it does. */
export interface PrebuiltDeclaration<Shape extends z.ZodRawShape> extends Pick<
  PrebuiltRecipe,
  'id' | 'description' | 'destination' | 'events' | 'transcript'
> {
  /** What it is made from; absent: the report. */
  readonly reads?: PrebuiltRecipe['reads'];
  readonly options: z.ZodObject<Shape>;
  plan(
    event: MeetingEvent,
    options: z.output<z.ZodObject<Shape>>,
    destinations: Destinations,
  ): readonly PlannedEffect[];
  present(options: z.output<z.ZodObject<Shape>>, destinations: Destinations): RecipeSubject;
  /** When it runs by the clock; absent: events alone make it run. */
  schedule?(options: z.output<z.ZodObject<Shape>>): RecipeSchedule;
}

/** Makes a prebuilt recipe of its declaration: from then on its options are checked in one place. */
export function definePrebuiltRecipe<Shape extends z.ZodRawShape>(
  declaration: PrebuiltDeclaration<Shape>,
): PrebuiltRecipe {
  const { id, description, destination, events, transcript, reads = 'report', options } = declaration;
  const names = Object.keys(options.shape);
  return {
    id,
    description,
    destination,
    events,
    transcript,
    reads,
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
        subject: declaration.present(parsed, destinations),
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
