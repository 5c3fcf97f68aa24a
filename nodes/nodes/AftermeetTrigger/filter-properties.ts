import type { INodeProperties } from 'n8n-workflow';

/** What both triggers ask. */
export const eventsProperty: INodeProperties = {
  displayName: 'Events',
  name: 'events',
  type: 'multiOptions',
  default: ['meeting.completed', 'meeting.failed'],
  required: true,
  options: [
    {
      name: 'Meeting Completed',
      value: 'meeting.completed',
      description: 'A meeting is processed and its report is there',
    },
    {
      name: 'Meeting Failed',
      value: 'meeting.failed',
      description: 'A meeting could not be processed; it may still be completed later',
    },
  ],
  description: 'What starts the workflow',
};

export const fetchReportProperty: INodeProperties = {
  displayName: 'Fetch the Report at Once',
  name: 'fetchReport',
  type: 'boolean',
  default: false,
  description:
    'Whether to fetch the report of a completed meeting with the API key. When it cannot be fetched, the event goes on with the reason in report_error.',
};

const titleFilter: INodeProperties = {
  displayName: 'Title',
  name: 'title',
  type: 'string',
  default: '',
  placeholder: 'e.g. sales, or Weekly *',
  description:
    'Text that the title has to contain; with * (any text) or ? (any character) in it, a pattern for the whole title. Case does not matter.',
};

const emptyTranscriptFilter: INodeProperties = {
  displayName: 'Empty Transcript',
  name: 'emptyTranscript',
  type: 'options',
  default: 'pass',
  options: [
    { name: 'Only Empty Ones', value: 'only', description: 'Only meetings in which nothing was transcribed' },
    { name: 'Pass', value: 'pass', description: 'Whether the transcript is empty does not matter' },
    { name: 'Skip Empty Ones', value: 'skip', description: 'No meetings in which nothing was transcribed' },
  ],
  description: 'What to do about meetings in which nothing was transcribed',
};

/** `transcriptHint` and `sourceHint` say where the trigger in question knows it from. */
export function describeFilters(sourceHint: string, transcriptHint: string): INodeProperties {
  return {
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    placeholder: 'Add filter',
    default: {},
    description: 'What is not known of a meeting passes its filter: an event that was filtered out is lost',
    options: [
      { ...emptyTranscriptFilter, description: `${emptyTranscriptFilter.description}${transcriptHint}` },
      {
        displayName: 'Platforms',
        name: 'sources',
        type: 'string',
        default: '',
        placeholder: 'e.g. gmeet, zoom',
        description: `Platforms with commas in between, such as gmeet, zoom, msteams.${sourceHint}`,
      },
      titleFilter,
    ],
  };
}
