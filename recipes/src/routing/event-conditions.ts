import type { BoundRecipe, MeetingEvent } from '../recipe.ts';
import { joinValues, listValues } from './list-values.ts';
import { matchTitle } from './match-title.ts';

/** What must hold of an event for a recipe to run. */
export interface EventCondition {
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
