import { asFields } from '@aftermeet/client/pure';

import type { EventFilters } from './event-filters.ts';
import { foldSource } from './fold-source.ts';

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
