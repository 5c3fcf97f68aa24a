import type { Digest } from '../../report/digest.ts';
import { formatDuration } from '../../report/format-when.ts';
import { normalizeName } from '../../report/people.ts';
import type { BoundRecipe, MeetingEvent, RecipeWhen } from '../recipe.ts';
import { joinValues, listEventConditions, listValues, matchTitle, sayTitle } from './event-conditions.ts';

/**
 * Why a recipe does not want a meeting, judged by its report; nothing when it does. What the event tells is judged
 * before (event-conditions.ts). For people; holds no content but the conditions themselves.
 */
export function explainMismatch(
  when: RecipeWhen,
  digest: Digest,
  event: Pick<MeetingEvent, 'title'>,
): string | undefined {
  const conditions = listReportConditions(leftToReport(when, event));
  return conditions.find((condition) => !condition.holds(digest))?.otherwise;
}

/** What the report is asked: a title that the event has named counts, whatever the meeting is called since. */
function leftToReport({ title, ...others }: RecipeWhen, event: Pick<MeetingEvent, 'title'>): RecipeWhen {
  return title === undefined || event.title !== undefined ? others : { ...others, title };
}

/** What must hold of a report for a recipe to run. */
interface ReportCondition {
  /** For people: `it has the tag sales or customer`. */
  readonly says: string;
  /** For people, when it does not hold: `the meeting has none of the tags sales, customer`. */
  readonly otherwise: string;
  holds(digest: Digest): boolean;
}

/** The conditions that are judged when the report is there. */
export function listReportConditions(when: RecipeWhen): readonly ReportCondition[] {
  return [
    ...fromValues(when.title, (patterns) => ({
      says: sayTitle(patterns),
      otherwise: `the title of the meeting fits none of the patterns ${listQuoted(patterns)}`,
      holds: ({ title }) => patterns.some((pattern) => matchTitle(title, pattern)),
    })),
    ...(when.isTranscriptEmpty === undefined ? [] : [transcriptCondition(when.isTranscriptEmpty)]),
    ...fromValues(when.tag, (tags) => ({
      says: `it has the tag ${joinValues(tags)}`,
      otherwise:
        tags.length === 1
          ? `the meeting does not have the tag ${joinValues(tags)}`
          : `the meeting has none of the tags ${tags.join(', ')}`,
      holds: (digest) => haveOneOf(digest.tags, tags, normalizeName),
    })),
    ...fromValues(when.source, (sources) => ({
      says: `it was held on ${joinValues(sources)}`,
      otherwise: `the meeting was not held on ${joinValues(sources)}`,
      holds: ({ source }) => haveOneOf(source === undefined ? [] : [source], sources, normalizeName),
    })),
    ...fromValues(when.template, (templates) => ({
      says: `its report was made with the template ${joinValues(templates)}`,
      otherwise:
        templates.length === 1
          ? `the report was not made with the template ${joinValues(templates)}`
          : `the report was made with none of the templates ${templates.join(', ')}`,
      holds: (digest) =>
        haveOneOf(
          digest.templates.flatMap(({ name, id = '' }) => [name, id]),
          templates,
          slugTemplate,
        ),
    })),
    ...fromValues(when.participantDomain, (domains) => ({
      says: `somebody with an address at ${joinValues(domains)} takes part`,
      otherwise: `nobody with an address at ${joinValues(domains)} took part`,
      holds: ({ attendees }) =>
        haveOneOf(
          attendees.map(({ email = '' }) => email),
          domains,
          foldDomain,
        ),
    })),
    ...durationConditions(when.duration),
  ];
}

function fromValues(
  value: string | readonly string[] | undefined,
  make: (values: readonly string[]) => ReportCondition,
): readonly ReportCondition[] {
  return value === undefined ? [] : [make(listValues(value))];
}

function transcriptCondition(isEmpty: boolean): ReportCondition {
  return {
    says: isEmpty ? 'its transcript is empty' : 'its transcript is not empty',
    otherwise: isEmpty
      ? 'the transcript of this meeting is not empty'
      : 'the transcript of this meeting is empty',
    holds: (digest) => digest.isTranscriptEmpty === isEmpty,
  };
}

function durationConditions(duration: RecipeWhen['duration']): readonly ReportCondition[] {
  const { atLeastSeconds, atMostSeconds } = duration ?? {};
  const unknown = 'or the report does not say how long it was';
  const conditions: ReportCondition[] = [];
  if (atLeastSeconds !== undefined) {
    conditions.push({
      says: `it lasts at least ${sayDuration(atLeastSeconds)}`,
      otherwise: `the meeting was shorter than ${sayDuration(atLeastSeconds)}, ${unknown}`,
      holds: ({ durationSeconds = -1 }) => durationSeconds >= atLeastSeconds,
    });
  }
  if (atMostSeconds !== undefined) {
    conditions.push({
      says: `it lasts at most ${sayDuration(atMostSeconds)}`,
      otherwise: `the meeting was longer than ${sayDuration(atMostSeconds)}, ${unknown}`,
      holds: ({ durationSeconds = Infinity }) => durationSeconds <= atMostSeconds,
    });
  }
  return conditions;
}

/** As it was set: a bound is not rounded. */
function sayDuration(seconds: number): string {
  return seconds % 60 === 0 && seconds > 0 ? formatDuration(seconds) : `${seconds} s`;
}

function listQuoted(values: readonly string[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}

function haveOneOf(
  there: readonly string[],
  wanted: readonly string[],
  fold: (text: string) => string,
): boolean {
  const folded = new Set(wanted.map(fold));
  return there.some((value) => value !== '' && folded.has(fold(value)));
}

/** Of an address, of `@example.com` and of `example.com`. */
function foldDomain(text: string): string {
  return text
    .slice(text.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase();
}

/** One condition of a recipe, and whether it holds for a meeting. */
export interface JudgedCondition {
  /** For people: `it has the tag sales or customer`. */
  readonly condition: string;
  /** Undefined: the event does not tell, and there is no report to ask. */
  readonly holds: boolean | undefined;
}

/**
 * Each condition of a recipe, judged for one event and, where there is one, its report. The title is the
 * event's where it names one; the transcript is judged by both, as the worker does. Pure.
 */
export function explainMatch(
  recipe: Pick<BoundRecipe, 'when'> & {
    readonly prebuilt: Pick<BoundRecipe['prebuilt'], 'events' | 'transcript' | 'reads'>;
  },
  event: MeetingEvent,
  digest?: Digest,
): readonly JudgedCondition[] {
  const judged = new Map<string, boolean | undefined>();
  for (const condition of listEventConditions(recipe)) judged.set(condition.says, condition.holds(event));
  if (recipe.prebuilt.reads === 'report') {
    for (const condition of listReportConditions(leftToReport(recipe.when, event))) {
      const byEvent = judged.get(condition.says);
      const byReport = digest === undefined ? undefined : condition.holds(digest);
      judged.set(condition.says, byEvent === false ? false : (byReport ?? byEvent));
    }
  }
  return [...judged].map(([condition, holds]) => ({ condition, holds }));
}

/** `sales-meeting` of `Sales Meeting`: the slugs of the built-in templates follow this pattern. Bounded in length. */
function slugTemplate(name: string): string {
  return name
    .slice(0, 200)
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join('-');
}
