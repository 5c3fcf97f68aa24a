import type { BoundRecipe, MeetingEvent } from '../recipe.ts';

/** Which recipes an endpoint runs, by endpoint; one that is not named runs all of them. */
export type EndpointRecipes = Readonly<Record<string, readonly string[]>>;

/**
 * The recipes that want an event, in their order. A title that the event does not hold is left to the report, for recipes
 * that read one. Pure.
 */
export function matchRecipes<Recipe extends Pick<BoundRecipe, 'name' | 'prebuilt' | 'when'>>(
  event: MeetingEvent,
  recipes: readonly Recipe[],
  endpointRecipes: EndpointRecipes = {},
): readonly Recipe[] {
  const names = Object.hasOwn(endpointRecipes, event.endpoint) ? endpointRecipes[event.endpoint] : undefined;
  return recipes
    .filter((recipe) => names === undefined || names.includes(recipe.name))
    .filter((recipe) => listEventConditions(recipe).every((condition) => condition.holds(event) !== false));
}

/** What must hold of an event for a recipe to run. */
interface EventCondition {
  /** For people: `the event is meeting.completed`. */
  readonly says: string;
  /** Undefined: the event does not tell, and the report will. */
  holds(event: MeetingEvent): boolean | undefined;
}

type Wanting = Pick<BoundRecipe, 'when'> & {
  readonly prebuilt: Pick<BoundRecipe['prebuilt'], 'events' | 'transcript' | 'reads'>;
};

/** The conditions of a recipe that are judged when an event comes, the prebuilt recipe's own among them. */
export function listEventConditions({ when, prebuilt }: Wanting): readonly EventCondition[] {
  const kinds = listValues(when.event ?? prebuilt.events);
  const conditions: EventCondition[] = [
    { says: `the event is ${joinValues(kinds)}`, holds: ({ kind }) => kinds.includes(kind) },
  ];
  if (when.endpoint !== undefined) {
    const endpoints = listValues(when.endpoint);
    conditions.push({
      says: `it came to the endpoint ${joinValues(endpoints)}`,
      holds: ({ endpoint }) => endpoints.includes(endpoint),
    });
  }
  if (when.title !== undefined) {
    const patterns = listValues(when.title);
    conditions.push({
      says: sayTitle(patterns),
      holds: ({ title }) => {
        if (title === undefined && prebuilt.reads === 'report') return undefined;
        return patterns.some((pattern) => matchTitle(title ?? '', pattern));
      },
    });
  }
  if (when.isTranscriptEmpty !== undefined || kinds.includes('meeting.completed')) {
    conditions.push(transcriptCondition({ when, prebuilt }));
  }
  return conditions;
}

/** `its title fits "*Sales*"`. */
export function sayTitle(patterns: readonly string[]): string {
  return `its title fits ${joinValues(patterns.map((pattern) => JSON.stringify(pattern)))}`;
}

/** Only a completed meeting has a transcript that can be empty; an event that does not say has one. */
function transcriptCondition({ when, prebuilt }: Wanting): EventCondition {
  const { isTranscriptEmpty: wanted } = when;
  const wantsEmpty = wanted ?? prebuilt.transcript === 'empty';
  const words = wantsEmpty ? 'its transcript is empty' : 'its transcript is not empty';
  return {
    says: wanted === undefined ? `${words}, when the meeting is completed` : words,
    holds: (event) => {
      const isEmpty = event.isTranscriptEmpty ?? false;
      return isEmpty === wantsEmpty || (wanted === undefined && event.kind !== 'meeting.completed');
    },
  };
}

/** An event's title comes as it was sent, of any length. */
const mostCharacters = 500;

/**
 * Whether the first 500 characters of a title fit a pattern: `*` is any text, `?` any one character. Neither case
 * matters, nor whether a letter and its accent are one character or two (file names of macOS). Costs at most title × pattern steps, whatever the pattern.
 */
export function matchTitle(title: string, pattern: string): boolean {
  const letters = Array.from(title.slice(0, mostCharacters).normalize('NFC').toLowerCase());
  const marks = Array.from(pattern.normalize('NFC').toLowerCase());
  let letter = 0;
  let mark = 0;
  let star = -1;
  let resumeAt = 0;
  while (letter < letters.length) {
    if (marks[mark] === '*') {
      star = mark;
      resumeAt = letter;
      mark += 1;
    } else if (mark < marks.length && (marks[mark] === '?' || marks[mark] === letters[letter])) {
      letter += 1;
      mark += 1;
    } else if (star >= 0) {
      // The last star takes one more character, and the rest of the pattern starts over behind it.
      resumeAt += 1;
      letter = resumeAt;
      mark = star + 1;
    } else return false;
  }
  return marks.slice(mark).every((rest) => rest === '*');
}

/** A setting of one or several values, as a list. */
export function listValues(value: string | readonly string[]): readonly string[] {
  return typeof value === 'string' ? [value] : value;
}

/** `a`, `a or b`, `a, b or c`. */
export function joinValues(values: readonly string[]): string {
  const last = values.at(-1) ?? '';
  return values.length < 2 ? last : `${values.slice(0, -1).join(', ')} or ${last}`;
}
