import { asFields } from '@aftermeet/client/pure';
import { platformSpellings } from '@aftermeet/contract';
import type { INodeProperties } from 'n8n-workflow';

import { knownEvents, type TriggerEvent } from './read-delivery.ts';

/** What both triggers ask. */
export const eventsProperty: INodeProperties = {
  displayName: 'Events',
  name: 'events',
  type: 'multiOptions',
  default: ['meeting.completed', 'meeting.failed'],
  required: true,
  options: [
    {
      name: 'Meeting Completed',
      value: 'meeting.completed',
      description: 'A meeting is processed and its report is there',
    },
    {
      name: 'Meeting Failed',
      value: 'meeting.failed',
      description: 'A meeting could not be processed; it may still be completed later',
    },
  ],
  description: 'What starts the workflow',
};

export const fetchReportProperty: INodeProperties = {
  displayName: 'Fetch the Report at Once',
  name: 'fetchReport',
  type: 'boolean',
  default: false,
  description:
    'Whether to fetch the report of a completed meeting with the API key. When it cannot be fetched, the event goes on with the reason in report_error.',
};

const titleFilter: INodeProperties = {
  displayName: 'Title',
  name: 'title',
  type: 'string',
  default: '',
  placeholder: 'e.g. sales, or Weekly *',
  description:
    'Text that the title has to contain; with * (any text) or ? (any character) in it, a pattern for the whole title. Case does not matter.',
};

const emptyTranscriptFilter: INodeProperties = {
  displayName: 'Empty Transcript',
  name: 'emptyTranscript',
  type: 'options',
  default: 'pass',
  options: [
    { name: 'Only Empty Ones', value: 'only', description: 'Only meetings in which nothing was transcribed' },
    { name: 'Pass', value: 'pass', description: 'Whether the transcript is empty does not matter' },
    { name: 'Skip Empty Ones', value: 'skip', description: 'No meetings in which nothing was transcribed' },
  ],
  description: 'What to do about meetings in which nothing was transcribed',
};

/** `transcriptHint` and `sourceHint` say where the trigger in question knows it from. */
export function describeFilters(sourceHint: string, transcriptHint: string): INodeProperties {
  return {
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    placeholder: 'Add filter',
    default: {},
    description: 'What is not known of a meeting passes its filter: an event that was filtered out is lost',
    options: [
      { ...emptyTranscriptFilter, description: `${emptyTranscriptFilter.description}${transcriptHint}` },
      {
        displayName: 'Platforms',
        name: 'sources',
        type: 'string',
        default: '',
        placeholder: 'e.g. gmeet, zoom',
        description: `Platforms with commas in between, such as gmeet, zoom, msteams.${sourceHint}`,
      },
      titleFilter,
    ],
  };
}

/** Which meetings start the workflow. */
export interface EventFilters {
  /** Kinds of events; `other` stands for every kind that is not known here. */
  readonly events: readonly string[];
  /** Text within the title, or a pattern of the whole one; empty: any. */
  readonly title: string;
  /** Platforms, folded (`foldSource`); none: any. */
  readonly sources: readonly string[];
  readonly emptyTranscript: 'pass' | 'only' | 'skip';
}

/** What only the report or a search knows. */
export interface ReportFacts {
  readonly title?: string | undefined;
  readonly source?: string | undefined;
  readonly isTranscriptEmpty?: boolean | undefined;
}

/**
 * Whether an event is wanted, as far as it and what else is known of its meeting can tell. What is unknown passes: an event
 * that was filtered out is lost for ever. Pure.
 */
export function passesFilters(event: TriggerEvent, filters: EventFilters, known: ReportFacts = {}): boolean {
  const source = known.source ?? event.data?.['source'];
  const title = event.title ?? known.title;
  return (
    isWantedKind(event.event, filters.events) &&
    (filters.title === '' || title === undefined || matchTitle(title, filters.title)) &&
    isWantedSource(source, filters.sources) &&
    isWantedTranscript(event, filters.emptyTranscript, known.isTranscriptEmpty)
  );
}

function isWantedKind(kind: string, wanted: readonly string[]): boolean {
  return wanted.includes(kind) || (wanted.includes('other') && !knownEvents.some((known) => known === kind));
}

function isWantedSource(source: unknown, wanted: readonly string[]): boolean {
  if (wanted.length === 0 || typeof source !== 'string' || source.trim() === '') return true;
  return wanted.includes(foldSource(source));
}

/** A meeting that failed has no transcript to be empty. */
function isWantedTranscript(
  { event, is_transcript_empty: said }: TriggerEvent,
  wanted: EventFilters['emptyTranscript'],
  found: boolean | undefined,
): boolean {
  const isEmpty = said ?? found;
  if (wanted === 'pass' || event === 'meeting.failed' || isEmpty === undefined) return true;
  return isEmpty === (wanted === 'only');
}

/** A title comes as it was sent, of any length. */
const mostCharacters = 500;

/**
 * Whether a title holds the text; with `*` (any text) or `?` (any one character) in it, whether the whole title fits it. Case
 * does not matter. Costs at most title times pattern. Pure.
 */
export function matchTitle(title: string, pattern: string): boolean {
  const letters = Array.from(title.slice(0, mostCharacters).toLowerCase());
  const wanted = pattern.trim().toLowerCase();
  const parts = (/[*?]/.test(wanted) ? wanted : `*${wanted}*`).split('*').map((part) => Array.from(part));
  const [first = [], ...rest] = parts;
  const last = rest.pop();
  if (last === undefined) return first.length === letters.length && fitsAt(letters, first, 0);
  if (first.length + last.length > letters.length || !fitsAt(letters, first, 0)) return false;
  const end = letters.length - last.length;
  let at = first.length;
  // Each part where it fits first leaves the most room for those behind it.
  for (const part of rest) {
    while (at + part.length <= end && !fitsAt(letters, part, at)) at += 1;
    if (at + part.length > end) return false;
    at += part.length;
  }
  return fitsAt(letters, last, end);
}

function fitsAt(letters: readonly string[], part: readonly string[], at: number): boolean {
  return part.every((mark, index) => mark === '?' || mark === letters[at + index]);
}

/** The filters from what n8n keeps of the parameters `events` and `filters`. Pure. */
export function readFilters(events: unknown, filters: unknown): EventFilters {
  const { title, sources, emptyTranscript } = asFields(filters) ?? {};
  return {
    events: Array.isArray(events) ? events.map(String) : [],
    title: typeof title === 'string' ? title.trim() : '',
    sources: typeof sources === 'string' ? sources.split(',').map(foldSource).filter(Boolean) : [],
    emptyTranscript: emptyTranscript === 'only' || emptyTranscript === 'skip' ? emptyTranscript : 'pass',
  };
}

const spellings: ReadonlyMap<string, string> = new Map(Object.entries(platformSpellings));

/** A platform in lower case and in one of its spellings: two have more than one. Pure. */
function foldSource(source: string): string {
  const folded = source.trim().toLowerCase();
  return spellings.get(folded) ?? folded;
}
