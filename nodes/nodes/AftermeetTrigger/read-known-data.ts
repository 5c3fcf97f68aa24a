import { asFields, asText } from '@aftermeet/client/pure';

import { asDataObject } from '../Aftermeet/actions/as-item.ts';
import type { TriggerEvent } from './trigger-event.ts';

type KnownData = Pick<TriggerEvent, 'title' | 'is_transcript_empty' | 'report_url' | 'reason' | 'data'>;

/** What is known of `data`. A field of another type than the specification's counts as absent: no event is lost for it. Pure. */
export function readKnownData(value: unknown): KnownData {
  const fields = asFields(value) ?? {};
  const isEmpty = fields['is_transcript_empty'];
  return {
    title: asText(fields['title']) ?? null,
    is_transcript_empty: typeof isEmpty === 'boolean' ? isEmpty : null,
    report_url: asText(fields['report_url']) ?? null,
    reason: asText(fields['reason']) ?? null,
    data: asDataObject(value) ?? null,
  };
}
