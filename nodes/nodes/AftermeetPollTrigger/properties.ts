import { type INodeProperties, type IPollFunctions, NodeOperationError } from 'n8n-workflow';

import {
  describeFilters,
  type EventFilters,
  eventsProperty,
  fetchReportProperty,
  readFilters,
} from '../AftermeetTrigger/filters.ts';

const notice: INodeProperties = {
  displayName:
    'For an n8n that nothing can reach from outside: it asks the service, and starts with each meeting once it is ready. Where the service can reach n8n, use the <b>Aftermeet Trigger</b>, which knows at once and costs no requests.',
  name: 'notice',
  type: 'notice',
  default: '',
};

/** The parameters of the polling trigger; n8n puts Poll Times before them. */
export const pollProperties: INodeProperties[] = [
  notice,
  { ...eventsProperty },
  { ...fetchReportProperty },
  describeFilters('', '. This needs Fetch the Report at Once'),
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    options: [
      {
        displayName: 'Look Back (Days)',
        name: 'lookBackDays',
        type: 'number',
        typeOptions: { minValue: 1, maxValue: 90 },
        default: 7,
        description:
          'How long ago a meeting may have begun. One that becomes ready later than this, or while the workflow was off for longer, does not start it.',
      },
    ],
  },
];

export interface PollOptions {
  readonly filters: EventFilters;
  readonly fetchesReport: boolean;
  /** Meetings that began earlier are not looked at. */
  readonly lookBackMs: number;
}

/** How far back one may look. */
export const mostDays = 90;

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
