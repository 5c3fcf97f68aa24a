import type { INodeProperties } from 'n8n-workflow';

import { templateLocator } from '../locators.ts';
import { webhookProperties } from '../webhook-properties.ts';

/** The parameters of an upload. */
export const uploadProperties: readonly INodeProperties[] = [
  {
    displayName: 'Input Data Field Name',
    name: 'binaryPropertyName',
    type: 'string',
    default: 'data',
    required: true,
    hint: 'The name of the input field that holds the audio or video file',
    description:
      'The file is sent in chunks of 20 MiB and never stands in memory as a whole, unless n8n is set to keep files in memory',
  },
  templateLocator,
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    options: [
      {
        displayName: 'File Name',
        name: 'fileName',
        type: 'string',
        default: '',
        placeholder: 'e.g. weekly.mp4',
        description: 'In place of the name that the file has in n8n',
      },
      {
        displayName: 'Local Time',
        name: 'localTime',
        type: 'dateTime',
        default: '',
        description:
          "When the meeting took place; without a UTC offset it is a time in the workflow's time zone",
      },
      {
        displayName: 'Number of Speakers',
        name: 'speakersNumber',
        type: 'number',
        typeOptions: { minValue: 1 },
        default: 2,
        description: 'How many people speak, where that is known',
      },
      {
        displayName: 'Title',
        name: 'title',
        type: 'string',
        default: '',
        description: 'The title of the meeting; without it the service takes the file name',
      },
      ...webhookProperties,
    ],
  },
];
