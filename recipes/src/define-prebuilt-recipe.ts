import { z } from 'zod';

import type { Destinations } from './destinations.ts';
import type { MeetingEvent, PlannedEffect, PrebuiltRecipe, RecipeSchedule, RecipeSubject } from './recipe.ts';
import { listSchemaProblems } from './schema-problems.ts';

/** What is particular to a prebuilt recipe. Each option says in its description what it does. */
export interface PrebuiltDeclaration<Shape extends z.ZodRawShape> extends Pick<
  PrebuiltRecipe,
  'id' | 'description' | 'destination' | 'events' | 'transcript'
> {
  readonly options: z.ZodObject<Shape>;
  plan(
    event: MeetingEvent,
    options: z.output<z.ZodObject<Shape>>,
    destinations: Destinations,
  ): readonly PlannedEffect[];
  present(options: z.output<z.ZodObject<Shape>>): RecipeSubject;
  /** When it runs by the clock; absent: events alone make it run. */
  schedule?(options: z.output<z.ZodObject<Shape>>): RecipeSchedule;
}

/** Makes a prebuilt recipe of its declaration: from then on its options are checked in one place. */
export function definePrebuiltRecipe<Shape extends z.ZodRawShape>(
  declaration: PrebuiltDeclaration<Shape>,
): PrebuiltRecipe {
  const { id, description, destination, events, transcript, options } = declaration;
  const names = Object.keys(options.shape);
  return {
    id,
    description,
    destination,
    events,
    transcript,
    options: names.map((name) => ({ name, description: describeOption(options, name) })),
    check: (values) => {
      const parsed = options.safeParse(values);
      return parsed.success ? [] : listSchemaProblems(parsed.error, 'with', names);
    },
    bind: (values, destinations) => {
      const parsed = options.parse(values);
      const schedule = declaration.schedule?.(parsed);
      return {
        plan: (event) => declaration.plan(event, parsed, destinations),
        subject: declaration.present(parsed),
        ...(schedule === undefined ? {} : { schedule }),
      };
    },
  };
}

function describeOption(options: z.ZodObject, name: string): string {
  const field: unknown = options.shape[name];
  return field instanceof z.ZodType ? (field.description ?? '') : '';
}
