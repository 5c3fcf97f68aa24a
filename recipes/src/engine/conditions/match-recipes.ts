import type { Digest } from '../../report/digest.ts';
import type { Matchable, BoundRecipe, MeetingEvent, PrebuiltRecipe } from '../recipe.ts';
import { both, type Condition, either, type Facts, type Judgement, type Truth } from './condition.ts';
import { isTranscriptEmpty, type RecipeWhen, recipeWhenSchema, sayTranscript } from './when.ts';

/** Which recipes an endpoint runs, by endpoint; one that is not named runs all of them. */
export type EndpointRecipes = Readonly<Record<string, readonly string[]>>;

/**
 * The recipes that want an event, in their order. What the event does not say is left to the report, for recipes that
 * read one. Pure.
 */
export function matchRecipes<Recipe extends Matchable>(
  event: MeetingEvent,
  recipes: readonly Recipe[],
): readonly Recipe[] {
  return recipes.filter((recipe) => {
    const holds = takesMeeting(recipe, event);
    return holds === true || (holds === undefined && recipe.prebuilt.reads === 'report');
  });
}

/** Whether a recipe takes a meeting; undefined: it is not known, or not before the report is there. Pure. */
export function takesMeeting(recipe: Matchable, event: MeetingEvent, digest?: Digest): Truth {
  return both(judgeRecipe(recipe, event, digest).map(({ holds }) => holds));
}

/** What each recipe says to an event; `cause`: the first condition that does not hold. For people, without content. Pure. */
export function explainTaking(
  event: MeetingEvent,
  recipes: readonly Matchable[],
): readonly { readonly name: string; readonly takes?: boolean; readonly cause?: string }[] {
  return recipes.map((recipe) => {
    const judged = judgeRecipe(recipe, event);
    const refusing = judged.find(({ holds }) => holds === false);
    if (refusing !== undefined) return { name: recipe.name, takes: false, cause: refusing.otherwise };
    const takes = both(judged.map(({ holds }) => holds));
    return { name: recipe.name, ...(takes === undefined ? {} : { takes }) };
  });
}

/** Why a recipe does not want a meeting, judged by its report; nothing when it does. For people, without content of the report. */
export function explainMismatch(recipe: Matchable, event: MeetingEvent, digest: Digest): string | undefined {
  const judged = judgeRecipe(recipe, event, digest);
  const refusing =
    judged.find(({ holds }) => holds === false) ?? judged.find(({ holds }) => holds === undefined);
  if (refusing === undefined) return undefined;
  return refusing.holds === false ? refusing.otherwise : `it is not known whether ${refusing.condition}`;
}

/** One condition of a recipe, and whether it holds for a meeting. */
export interface JudgedCondition extends Judgement {
  /** For people: `it has the tag sales or customer`. */
  readonly condition: string;
  /** For people, when it does not hold: `it does not have the tag sales or customer`. */
  readonly otherwise: string;
}

/** Each condition of a recipe, judged for one event and, where there is one, its report. Pure. */
export function judgeRecipe(
  recipe: Matchable,
  event: MeetingEvent,
  digest?: Digest,
): readonly JudgedCondition[] {
  const facts: Facts = {
    event,
    digest,
    isExternalAddress: recipe.isExternalAddress,
    findTakers: () => findTakers(recipe, event, digest),
  };
  return [runsAtCondition(recipe, event.endpoint), ...recipe.conditions].map((condition) => ({
    condition: condition.yes,
    otherwise: condition.no,
    ...condition.judge(facts),
  }));
}

/** What makes a recipe run at the endpoints that run it, in sentences without a full stop, all of which must hold. Pure. */
export function explainWhen({
  schedule,
  conditions,
}: Pick<BoundRecipe, 'schedule' | 'conditions'>): readonly string[] {
  if (schedule === undefined) return conditions.map(({ yes }) => yes);
  const due = `it is due by the clock: ${schedule.cron} (${schedule.timeZone ?? 'UTC'})`;
  return [due, ...conditions.map(({ yes }) => `of each meeting: ${yes}`)];
}

function runsAtCondition({ runsAt }: Matchable, name: string): Condition {
  return {
    yes: `the endpoint ${name} runs it`,
    no: `the endpoint ${name} does not run it`,
    judge: ({ event }) => ({ holds: runsAt(event.endpoint), saw: event.endpoint }),
  };
}

/** The conditions of a recipe's settings, and those of its prebuilt recipe where the settings say nothing. */
export function listConditions(when: RecipeWhen, prebuilt: PrebuiltRecipe): readonly Condition[] {
  // The meetings of a period have completed.
  if (prebuilt.reads === 'period') return Object.values(when);
  const { event = readEventKinds(prebuilt), isTranscriptEmpty: wanted, ...others } = when;
  const takesCompleted = event.wanted.includes('meeting.completed');
  const transcript = wanted ?? (takesCompleted ? transcriptCondition(prebuilt) : undefined);
  return [event, ...Object.values(others), ...(transcript === undefined ? [] : [transcript])];
}

function readEventKinds({ events }: PrebuiltRecipe): NonNullable<RecipeWhen['event']> {
  const { event } = recipeWhenSchema.parse({ event: events });
  if (event === undefined) throw new Error('the schema keeps what it is given');
  return event;
}

/** Only a completed meeting has a transcript that can be empty. */
function transcriptCondition({ transcript }: PrebuiltRecipe): Condition {
  const wantsEmpty = transcript === 'empty';
  const words = ['its transcript is empty', 'its transcript is not empty'] as const;
  const [yes, no] = wantsEmpty ? words : [words[1], words[0]];
  return {
    yes: `${yes}, when the meeting is completed`,
    no,
    judge: (facts) => ({
      holds: facts.event.kind !== 'meeting.completed' || isTranscriptEmpty(facts) === wantsEmpty,
      saw: sayTranscript(facts),
    }),
  };
}

function findTakers({ rivals }: Matchable, event: MeetingEvent, digest: Digest | undefined): Judgement {
  const judged = rivals.map((rival) => ({ name: rival.name, holds: takesMeeting(rival, event, digest) }));
  const takers = judged.filter(({ holds }) => holds === true).map(({ name }) => name);
  return {
    holds: either(judged.map(({ holds }) => holds)),
    saw: takers.length === 0 ? 'no other recipe' : takers.join(', '),
  };
}
