import type { INodeProperties } from 'n8n-workflow';

import {
  describeFilters,
  eventsProperty,
  fetchReportProperty,
} from '../AftermeetTrigger/filter-properties.ts';

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
