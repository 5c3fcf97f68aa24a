import type { Digest } from '../digest.ts';
import type { BoundRecipe, MeetingEvent } from '../recipe.ts';
import { explainMatch, type JudgedCondition } from '../routing/explain-match.ts';
import { type EndpointRecipes, matchRecipes } from '../routing/match-recipes.ts';
import { explainMismatch } from '../routing/match-report.ts';

export interface Judgement {
  /** The recipe takes this meeting. */
  readonly isWanted: boolean;
  readonly conditions: readonly JudgedCondition[];
}

/** Judges a meeting as the worker does: first by the event, then by the report. */
export function judgeRecipe(
  recipe: BoundRecipe,
  event: MeetingEvent,
  digest: Digest | undefined,
  { endpointRecipes = {} }: { readonly endpointRecipes?: EndpointRecipes },
): Judgement {
  const { name, schedule, prebuilt, when, subject } = recipe;
  if (schedule !== undefined) {
    const condition = `it is due by the clock (${schedule.cron}, ${schedule.timeZone ?? 'UTC'}); shown for this meeting alone`;
    return { isWanted: true, conditions: [{ condition, holds: true }] };
  }
  const read = subject.from === 'report' ? digest : undefined;
  const isEmpty = read?.isTranscriptEmpty === true && prebuilt.transcript === 'present';
  const isMatch = matchRecipes(event, [recipe], endpointRecipes).length > 0;
  const named = Object.hasOwn(endpointRecipes, event.endpoint) ? endpointRecipes[event.endpoint] : undefined;
  return {
    isWanted: isMatch && !isEmpty && (read === undefined || explainMismatch(when, read, event) === undefined),
    conditions: [
      ...(named === undefined
        ? []
        : [{ condition: `the endpoint ${event.endpoint} runs it`, holds: named.includes(name) }]),
      ...explainMatch(recipe, event, read),
      // What the recipe asks for is one thing, what it can tell of another.
      ...(isEmpty && when.isTranscriptEmpty === true
        ? [{ condition: 'there is a transcript for it to tell of', holds: false }]
        : []),
    ],
  };
}
