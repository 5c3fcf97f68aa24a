import type { MeetingEntry } from '../engine/journal/journal.ts';
import type { EffectVerdict } from './effects.ts';
import type { MeetingEffect, MeetingOverview, MeetingWay } from './meetings.ts';

/** What became of a meeting at one recipe, in a few words. */
export interface RecipeResult {
  readonly recipe: string;
  readonly words: string;
  /** `none`: nothing was to be done. */
  readonly tone: 'good' | 'wait' | 'bad' | 'none';
}

/** What became of a meeting, recipe by recipe: `sent 14:03`, `2 sent, 1 failed`, `not taken: its title is not "Weekly"`. Pure. */
export function describeResults(
  { effects, notTaken, nothing }: Pick<MeetingOverview, 'effects' | 'notTaken' | 'nothing'>,
  formatTime: (ms: number) => string,
): readonly RecipeResult[] {
  const recipes = [...new Set(effects.map(({ recipe }) => recipe))];
  const results = recipes.map((recipe) => {
    const own = effects.filter((effect) => effect.recipe === recipe);
    // An effect that only planned others says nothing once they are there.
    const real = own.filter(({ verdict }) => verdict !== 'expanded');
    return describeRecipe(recipe, real.length > 0 ? real : own, formatTime);
  });
  const refused = notTaken.map(({ recipe, cause }): RecipeResult => ({
    recipe,
    words: `not taken: ${cause}`,
    tone: 'none',
  }));
  if (results.length === 0 && nothing !== undefined) return [{ recipe: '', words: nothing, tone: 'none' }];
  return [...results, ...refused];
}

function describeRecipe(
  recipe: string,
  effects: readonly MeetingEffect[],
  formatTime: (ms: number) => string,
): RecipeResult {
  const counts = new Map<EffectVerdict, number>();
  for (const { verdict } of effects) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const verdicts = [...counts.keys()].toSorted((one, other) => RANK[one] - RANK[other]);
  const [worst = 'ended'] = verdicts;
  const first = effects.find(({ verdict }) => verdict === worst);
  const cause = worst === 'sent' || first?.cause === undefined ? '' : `: ${first.cause}`;
  const time =
    worst === 'sent' && first?.changedAtMs !== undefined ? ` ${formatTime(first.changedAtMs)}` : '';
  const isOne = verdicts.length === 1 && effects.length === 1;
  const counted = verdicts.map((verdict) => `${counts.get(verdict) ?? 0} ${VERDICT_WORDS[verdict]}`);
  const words = isOne ? VERDICT_WORDS[worst] : counted.join(', ');
  return { recipe, words: `${words}${time}${cause}`, tone: TONES[worst] };
}

/** The states of an effect for people. */
export const VERDICT_WORDS: Readonly<Record<EffectVerdict, string>> = {
  failed: 'failed',
  parked: 'needs review',
  stranded: 'stopped',
  held: 'waits for approval',
  waiting: 'waits',
  under_way: 'under way',
  new: 'never queued',
  recalled: 'taken back',
  sent: 'sent',
  skipped: 'nothing to send',
  expanded: 'report read',
  ended: 'ended, and forgotten',
};

/** What needs a person comes first. */
const RANK = Object.fromEntries(
  Object.keys(VERDICT_WORDS).map((verdict, index) => [verdict, index]),
) as Readonly<Record<EffectVerdict, number>>;

export const TONES: Readonly<Record<EffectVerdict, RecipeResult['tone']>> = {
  failed: 'bad',
  parked: 'bad',
  stranded: 'bad',
  held: 'wait',
  waiting: 'wait',
  under_way: 'wait',
  new: 'wait',
  recalled: 'none',
  sent: 'good',
  skipped: 'none',
  expanded: 'none',
  ended: 'none',
};

/** One moment of a meeting's way. */
export interface MeetingStep {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly words: string;
  readonly tone: RecipeResult['tone'];
  readonly effectKey?: string | undefined;
}

/** The way of a meeting in its order, in words. Pure. */
export function describeSteps({ entries, effects }: MeetingWay): readonly MeetingStep[] {
  const attempts = effects.flatMap(({ effectKey, recipe, destination, part, attempts: all }) =>
    all.map(({ atMs, outcome, cause, elapsedMs, worker }): MeetingStep => {
      const behind = part === 0 ? '' : `, part ${part}`;
      const why = cause === undefined ? '' : `: ${cause}`;
      const took = `(${(elapsedMs / 1000).toFixed(1)} s, ${worker})`;
      const words = `${recipe} to ${destination}${behind}: ${OUTCOME_WORDS[outcome]}${why} ${took}`;
      return { atMs, words, tone: OUTCOME_TONES[outcome], effectKey };
    }),
  );
  return [...entries.map(describeEntry), ...attempts].toSorted((one, other) => one.atMs - other.atMs);
}

const OUTCOME_WORDS = {
  sent: 'sent',
  skipped: 'nothing to send',
  held: 'waits for approval',
  failed: 'failed',
  waits: 'not now',
} as const;

const OUTCOME_TONES = { sent: 'good', skipped: 'none', held: 'wait', failed: 'bad', waits: 'wait' } as const;

function describeEntry(entry: MeetingEntry): MeetingStep {
  const { atMs } = entry;
  switch (entry.kind) {
    case 'delivered': {
      const { event, endpoint, isUnsigned, nothing, recipes } = entry;
      const signed = isUnsigned === true ? ', not signed' : '';
      const takers = recipes.filter(({ takes }) => takes !== false).map(({ name }) => name);
      const taken = takers.length === 0 ? 'no recipe takes it' : `taken by ${takers.join(', ')}`;
      const words = `delivery ${event} at the endpoint ${endpoint}${signed}: ${nothing ?? taken}`;
      return { atMs, words, tone: 'none' };
    }
    case 'followed': {
      const count = entry.effects.length;
      return {
        atMs,
        words: `${count} more effect${count === 1 ? '' : 's'} planned`,
        tone: 'none',
      };
    }
    case 'operated':
    default:
      return { atMs, words: `${entry.who}: ${entry.what}`, tone: 'none' };
  }
}
