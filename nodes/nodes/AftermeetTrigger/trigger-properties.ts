import type { INodeProperties } from 'n8n-workflow';

import { describeFilters, eventsProperty, fetchReportProperty } from './filter-properties.ts';

const notice: INodeProperties = {
  displayName:
    'Give the <b>Production URL</b> above as Webhook URL, and the secret of the credential as Webhook Secret, wherever a recording is started or a file uploaded: nothing is registered by itself. The Test URL works only while this editor listens. The service refuses addresses of this machine and of private networks: behind a proxy or a tunnel, set WEBHOOK_URL in n8n.',
  name: 'notice',
  type: 'notice',
  default: '',
};

const knownKinds = Array.isArray(eventsProperty.options) ? eventsProperty.options : [];

/** The parameters of the webhook trigger. */
export const triggerProperties: INodeProperties[] = [
  notice,
  {
    ...eventsProperty,
    options: [
      ...knownKinds,
      {
        name: 'Any Other',
        value: 'other',
        description: 'Kinds of events that this version does not know yet',
      },
    ],
  },
  fetchReportProperty,
  describeFilters(
    ' The event of the service does not name it: this needs Fetch the Report at Once, unless the receiver sends the meeting on.',
    '',
  ),
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    options: [
      {
        displayName: 'Header Prefix',
        name: 'headerPrefix',
        type: 'string',
        default: 'X-Service',
        description:
          "What the names of the service's signature headers begin with; the receiver has the same setting",
      },
      {
        displayName: 'Tolerance (Seconds)',
        name: 'toleranceSeconds',
        type: 'number',
        typeOptions: { minValue: 0 },
        default: 300,
        description:
          'How far the timestamp of a delivery may lie from the clock of n8n, before or after it. More lets late retries in that were not signed anew, and replays too.',
      },
    ],
  },
];
