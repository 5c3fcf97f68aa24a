import type { Digest } from '../digest.ts';
import type { RecipeWhen } from '../recipe.ts';
import { formatDuration } from '../text/format-when.ts';
import { sayTitle } from './event-conditions.ts';
import { joinValues, listValues } from './list-values.ts';
import { matchTitle } from './match-title.ts';
import { slugTemplate } from './slug-template.ts';

/** What must hold of a report for a recipe to run. */
export interface ReportCondition {
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
      holds: (digest) => haveOneOf(digest.tags, tags, foldName),
    })),
    ...fromValues(when.source, (sources) => ({
      says: `it was held on ${joinValues(sources)}`,
      otherwise: `the meeting was not held on ${joinValues(sources)}`,
      holds: ({ source }) => haveOneOf(source === undefined ? [] : [source], sources, foldName),
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

function foldName(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

/** Of an address, of `@example.com` and of `example.com`. */
function foldDomain(text: string): string {
  return text
    .slice(text.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase();
}
