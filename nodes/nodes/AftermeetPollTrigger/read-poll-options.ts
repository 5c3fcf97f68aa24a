import { type IPollFunctions, NodeOperationError } from 'n8n-workflow';

import { readFilters } from '../AftermeetTrigger/read-filters.ts';
import { mostDays, type PollOptions } from './poll-options.ts';

const DAY_MS = 86_400_000;

/** The node's parameters. Throws `NodeOperationError`, with what to do, for those that cannot be. */
export function readPollOptions(context: IPollFunctions): PollOptions {
  const filters = readFilters(context.getNodeParameter('events'), context.getNodeParameter('filters', {}));
  if (filters.events.length === 0) {
    throw new NodeOperationError(context.getNode(), 'Events must be a list that names one at least');
  }
  const fetchesReport = context.getNodeParameter('fetchReport', false) === true;
  const lookBackDays = Number(context.getNodeParameter('options.lookBackDays', 7));
  if (!(lookBackDays >= 1 && lookBackDays <= mostDays)) {
    throw new NodeOperationError(context.getNode(), `Look Back (Days) must be 1 to ${mostDays}`);
  }
  if (filters.emptyTranscript !== 'pass' && !fetchesReport) {
    throw new NodeOperationError(
      context.getNode(),
      'The filter Empty Transcript needs Fetch the Report at Once: a search does not tell',
    );
  }
  return { filters, fetchesReport, lookBackMs: lookBackDays * DAY_MS };
}
