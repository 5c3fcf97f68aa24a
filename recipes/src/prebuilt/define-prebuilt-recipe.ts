import type { z } from 'zod';

import type { BuiltInMessage } from '../destinations/messages.ts';
import type { Destinations } from '../destinations/settings.ts';
import { checkOptions, describeOptions } from '../engine/recipe-options.ts';
import type {
  BoundRecipe,
  MeetingEvent,
  PlannedEffect,
  PrebuiltRecipe,
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
  readonly about?: PrebuiltRecipe['about'];
  readonly options: z.ZodObject<Shape>;
  plan(
    event: MeetingEvent,
    options: z.output<z.ZodObject<Shape>>,
    destinations: Destinations,
  ): readonly PlannedEffect[];
  present(options: z.output<z.ZodObject<Shape>>, destinations: Destinations): RecipeInput<BuiltInMessage>;
  /** What it needs of its destination, as the destination's `check` takes it; absent: nothing to check. */
  needs?(options: z.output<z.ZodObject<Shape>>): unknown;
  /** When it runs by the clock; absent: events alone make it run. */
  schedule?(options: z.output<z.ZodObject<Shape>>, destinations: Destinations): RecipeSchedule;
}

/** A prebuilt recipe whose messages are those of the destinations that come with the toolkit. */
export interface BuiltInRecipe extends PrebuiltRecipe {
  /** The schema of its options. */
  readonly optionsSchema: z.ZodType;
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
  const { reads = 'report', about = 'meeting' } = declaration;
  return {
    id,
    description,
    destination,
    events,
    transcript,
    reads,
    about,
    options: describeOptions(options),
    optionsSchema: options,
    check: (values) => checkOptions(options, values),
    findNeed: (values) => {
      const parsed = options.safeParse(values);
      return parsed.success ? declaration.needs?.(parsed.data) : undefined;
    },
    bind: (values, destinations) => {
      const parsed = options.parse(values);
      const schedule = declaration.schedule?.(parsed, destinations);
      return {
        plan: (event) => declaration.plan(event, parsed, destinations),
        input: declaration.present(parsed, destinations),
        ...(schedule === undefined ? {} : { schedule }),
      };
    },
  };
}
