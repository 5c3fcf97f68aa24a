import type { RecipeWhen } from '../recipe.ts';
import { listValues } from '../routing/list-values.ts';
import { recipeWhenSchema } from '../routing/recipe-when.ts';
import { listReportConditions } from '../routing/report-conditions.ts';
import { globPattern } from './glob-pattern.ts';
import type { Order } from './order.ts';
import type { Parameter } from './workflow.ts';

/** The conditions of a recipe as its settings have them; none where they are wrong, which `checkConfiguredRecipe` tells. */
export function readWhen({ configured }: Pick<Order, 'configured'>): RecipeWhen {
  return recipeWhenSchema.safeParse(configured.when).data ?? {};
}

/** Whether meetings without a transcript are wanted: what `when` says, else what the prebuilt recipe is for. */
export function wantsEmpty(asked: boolean | undefined, transcript: 'present' | 'empty'): boolean {
  return asked ?? transcript === 'empty';
}

/**
 * The conditions that the report tells, for `explainMismatch` of the Code node: what is looked at, what is wanted, and
 * the sentence for when it does not hold, which is the recipe's own.
 */
export function reportConditions(order: Pick<Order, 'configured' | 'prebuilt'>): readonly Parameter[] {
  const when = readWhen(order);
  const { atLeastSeconds, atMostSeconds } = when.duration ?? {};
  const { transcript } = order.prebuilt;
  const wanted = wantsEmpty(when.isTranscriptEmpty, transcript);
  // What is made of a transcript is never made of none, whatever is asked.
  const states = transcript === 'present' && wanted ? [false, true] : [wanted];
  return [
    ...(when.title === undefined
      ? []
      : condition('title', globPattern(listValues(when.title)).source, { title: when.title })),
    ...states.flatMap((isTranscriptEmpty) =>
      condition('isTranscriptEmpty', isTranscriptEmpty, { isTranscriptEmpty }),
    ),
    ...(['tag', 'source', 'template', 'participantDomain'] as const).flatMap((is) => {
      const value = when[is];
      return value === undefined ? [] : condition(is, listValues(value), { [is]: value });
    }),
    ...(atLeastSeconds === undefined
      ? []
      : condition('atLeastSeconds', atLeastSeconds, { duration: { atLeastSeconds } })),
    ...(atMostSeconds === undefined
      ? []
      : condition('atMostSeconds', atMostSeconds, { duration: { atMostSeconds } })),
  ];
}

function condition(is: string, wanted: Parameter, when: RecipeWhen): readonly Parameter[] {
  return listReportConditions(when).map(({ otherwise }) => ({ is, wanted, otherwise }));
}
