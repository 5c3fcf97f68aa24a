import { foldSource } from './fold-source.ts';
import { matchTitle } from './match-title.ts';
import { knownEvents, type TriggerEvent } from './trigger-event.ts';

/** Which meetings start the workflow. */
export interface EventFilters {
  /** Kinds of events; `other` stands for every kind that is not known here. */
  readonly events: readonly string[];
  /** Text within the title, or a pattern of the whole one; empty: any. */
  readonly title: string;
  /** Platforms, folded (fold-source.ts); none: any. */
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
 * Whether an event is wanted, as far as it and what else is known of its meeting can tell. What nobody knows passes: an event
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
