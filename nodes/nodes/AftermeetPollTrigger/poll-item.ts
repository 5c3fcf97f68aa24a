import type { INodeExecutionData } from 'n8n-workflow';

import { asDataObject } from '../Aftermeet/actions/as-item.ts';
import { passesFilters } from '../AftermeetTrigger/event-filters.ts';
import type { FetchedReport } from '../AftermeetTrigger/fetch-report.ts';
import type { TriggerEvent } from '../AftermeetTrigger/trigger-event.ts';
import { makeTriggerItem } from '../AftermeetTrigger/trigger-item.ts';
import type { PollOptions } from './poll-options.ts';
import type { PollSource } from './poll-source.ts';
import type { Finding } from './settle-poll.ts';

/** The item of a meeting that is over, or undefined where the filters leave it out; with its report where that is wanted. */
export async function makePollItem(
  source: PollSource,
  finding: Finding,
  { filters, fetchesReport }: PollOptions,
): Promise<INodeExecutionData | undefined> {
  const { meeting } = finding.candidate;
  const event = describeEvent(source, finding);
  const known = { source: meeting.source };
  if (!passesFilters(event, filters, known)) return undefined;
  if (!fetchesReport || finding.phase !== 'ready') return makeTriggerItem(event, null);
  const fetched: FetchedReport = await source.fetchReport(meeting.id);
  if (!fetched.ok) return makeTriggerItem(event, null, fetched);
  const { facts } = fetched;
  if (!passesFilters(event, filters, { ...facts, source: facts.source ?? meeting.source })) return undefined;
  return makeTriggerItem({ ...event, is_transcript_empty: facts.isTranscriptEmpty ?? null }, null, fetched);
}

function describeEvent(source: PollSource, { candidate, phase }: Finding): TriggerEvent {
  const { meeting } = candidate;
  return {
    event: phase === 'failed' ? 'meeting.failed' : 'meeting.completed',
    meeting_id: meeting.id,
    // When it was found: nobody says when it happened.
    timestamp: new Date(source.now()).toISOString(),
    title: meeting.title,
    is_transcript_empty: null,
    report_url: phase === 'failed' ? null : source.reportUrl(meeting.id),
    reason: null,
    delivery_id: null,
    data: asDataObject(meeting.raw) ?? null,
  };
}
