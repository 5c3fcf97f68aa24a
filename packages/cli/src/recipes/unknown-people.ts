import type { ConfiguredRecipe, Destinations, OperatorTools } from '@aftermeet/recipes';

import { cleanLine } from '../terminal/text.ts';

/** Recipes that write to people, or name them as owners. */
const REACHING: ReadonlySet<string> = new Set(['slack-tasks', 'email-follow-up', 'notion-tasks']);

/** The settings need not know a guest of a single meeting. */
const MIN_MEETINGS = 2;
const MAX_SHOWN = 3;

interface Installation {
  readonly recipes: readonly ConfiguredRecipe[];
  readonly destinations: Destinations;
}

/**
 * Who took part in several meetings of the last 30 days and is reached by no message, for people; undefined: there is none,
 * or no recipe writes to people.
 */
export async function findUnknownPeople(
  { recipes, destinations: { people = [] } }: Installation,
  tools: Pick<OperatorTools, 'listUnknownPeople'>,
): Promise<{ readonly found: string; readonly advice: string } | undefined> {
  if (people.length === 0 && !recipes.some(({ use }) => REACHING.has(use))) return undefined;
  const { createPeopleDirectory } = await import('@aftermeet/recipes');
  const unknown = await tools.listUnknownPeople(createPeopleDirectory(people));
  const frequent = unknown.filter(({ meetings }) => meetings >= MIN_MEETINGS);
  if (frequent.length === 0) return undefined;
  const shown = frequent
    .slice(0, MAX_SHOWN)
    .map(({ name, meetings }) => `${cleanLine(name)} (${meetings} meetings)`)
    .join(', ');
  const more = frequent.length > MAX_SHOWN ? ` and ${frequent.length - MAX_SHOWN} more` : '';
  return {
    found: `no mail, direct message or mention reaches ${shown}${more}`,
    advice: 'Name them under people in aftermeet.yaml; aftermeet people unknown lists all.',
  };
}
