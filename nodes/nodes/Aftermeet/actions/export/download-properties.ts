import type { INodeProperties } from 'n8n-workflow';

import { meetingLocator, templateLocator } from '../locators.ts';

/** The parameters of a download. */
export const downloadProperties: readonly INodeProperties[] = [
  meetingLocator,
  {
    displayName: 'Format',
    name: 'format',
    type: 'options',
    default: 'pdf',
    options: [
      { name: 'Markdown', value: 'md' },
      { name: 'PDF', value: 'pdf' },
      { name: 'Word (DOCX)', value: 'docx' },
    ],
  },
  templateLocator,
  {
    displayName: 'Put Output File in Field',
    name: 'binaryPropertyName',
    type: 'string',
    default: 'data',
    required: true,
    hint: 'The name of the output field to put the file in',
  },
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add option',
    default: {},
    options: [
      {
        displayName: 'Include Report',
        name: 'includeReport',
        type: 'boolean',
        default: true,
        description: 'Whether the report is part of the file; left out, the service decides',
      },
      {
        displayName: 'Include Tasks',
        name: 'includeTasks',
        type: 'boolean',
        default: true,
        description: 'Whether the tasks are part of the file; left out, the service decides',
      },
      {
        displayName: 'Time Zone',
        name: 'timezone',
        type: 'string',
        default: '',
        placeholder: 'e.g. Europe/Berlin',
        description: 'In which times in the file are written: an IANA name; left out, the service decides',
        hint: 'The zone of the workflow is {{ $now.zoneName }} as an expression',
      },
    ],
  },
];
