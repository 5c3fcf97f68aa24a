import { z } from 'zod';

import type { BoundRecipe } from '../recipe.ts';
import { listEventConditions } from './event-conditions.ts';
import { listReportConditions } from './report-conditions.ts';

/** One value or a list of them; whatever is wrong is answered with the same words. */
function oneOrMore(what: string, pattern = /\S/) {
  const error = `${what}, or a list of them`;
  const value = z.string({ error }).regex(pattern, { error });
  return z.union([value, z.array(value, { error }).min(1, { error })], { error });
}

const domain = /^@?[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,9}$/u;

const durationText = 'a duration such as 90s, 10m or 1h30m';

/** `1h30m` in seconds. */
const seconds = z
  .string({ error: durationText })
  .regex(/^(?=\d)(?:\d{1,4}h)?(?:\d{1,4}m)?(?:\d{1,6}s)?$/, { error: durationText, abort: true })
  .transform((text) => {
    const [, hours = '0', minutes = '0', rest = '0'] = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text) ?? [];
    return Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
  });

const bounds = 'atLeast, atMost or both, such as { atLeast: 10m, atMost: 2h }';

const duration = z
  .unknown()
  .refine(namesBounds, { error: bounds })
  .pipe(z.object({ atLeast: seconds.exactOptional(), atMost: seconds.exactOptional() }))
  .refine(({ atLeast = 0, atMost = Infinity }) => atLeast <= atMost, {
    error: 'an atLeast that is not longer than its atMost',
  })
  .transform(({ atLeast, atMost }) => ({
    ...(atLeast === undefined ? {} : { atLeastSeconds: atLeast }),
    ...(atMost === undefined ? {} : { atMostSeconds: atMost }),
  }));

/** Judged as a whole: the error for a misspelt bound names the bounds, not the conditions. */
function namesBounds(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => name === 'atLeast' || name === 'atMost');
}

/** The conditions a recipe can have, as they stand in its settings; what comes out is a `RecipeWhen`. */
export const recipeWhenSchema = z.strictObject({
  event: oneOrMore('an event kind such as meeting.completed').exactOptional(),
  endpoint: oneOrMore('the name of an endpoint').exactOptional(),
  title: oneOrMore('a title pattern such as "*Sales*"').exactOptional(),
  isTranscriptEmpty: z.boolean({ error: 'true or false' }).exactOptional(),
  tag: oneOrMore('the name of a tag').exactOptional(),
  source: oneOrMore('a platform such as zoom').exactOptional(),
  template: oneOrMore('a template such as sales-meeting').exactOptional(),
  participantDomain: oneOrMore('a domain such as example.com', domain).exactOptional(),
  duration: duration.exactOptional(),
});

export const recipeWhenKeys: readonly string[] = Object.keys(recipeWhenSchema.shape);

/** The conditions that only the report can tell; recipes that are made without it cannot have them. */
export const reportConditionKeys: readonly string[] = [
  'tag',
  'source',
  'template',
  'participantDomain',
  'duration',
];

type Explained = Pick<BoundRecipe, 'when' | 'schedule'> & {
  readonly prebuilt: Pick<BoundRecipe['prebuilt'], 'events' | 'transcript' | 'reads'>;
};

/**
 * What makes a recipe run, in sentences without a full stop, all of which must hold: what it asks for itself and what its
 * prebuilt recipe does. Pure.
 */
export function explainWhen(recipe: Explained): readonly string[] {
  const { schedule, when, prebuilt } = recipe;
  if (schedule !== undefined)
    return [`it is due by the clock: ${schedule.cron} (${schedule.timeZone ?? 'UTC'})`];
  const says = [
    ...listEventConditions(recipe).map((condition) => condition.says),
    ...(prebuilt.reads === 'report' ? listReportConditions(when).map((condition) => condition.says) : []),
  ];
  return [...new Set(says)];
}
