import { byKnobs, type Assumption } from './assumption.ts';

const section = 'Endpoints';

/** What the operations take and answer. */
export const endpointAssumptions: readonly Assumption[] = [
  {
    id: 'required-recording-fields',
    section,
    open: 'Which fields of a recording are required.',
    assumed: 'The link: without it no bot can go anywhere.',
    basis: 'decided',
    levers: byKnobs('requiredRecordingFields'),
  },
  {
    id: 'start-answer',
    section,
    open: 'The answer to a recording that is started or scheduled.',
    assumed: 'JSON with `meeting_id`, `status`, `title`, `source` and `local_date_time`.',
    basis: 'decided',
    levers: byKnobs('startAnswer'),
  },
  {
    id: 'status-answer',
    section,
    open: 'The answer to the status query.',
    assumed: 'The bare word as plain text.',
    basis: 'observed',
    levers: byKnobs('statusAnswer'),
  },
  {
    id: 'search-parameters',
    section,
    open: 'The names of the search parameters for the author and the upper date bound.',
    assumed:
      '`authors` and `dateTo`. An author is the id, the name or the address of the one user of the workspace; days are those of UTC, both ends included. `scope` is taken and changes nothing.',
    basis: 'observed',
    levers: byKnobs('searchParameters'),
  },
  {
    id: 'search-answer',
    section,
    open: 'The answer of a search.',
    assumed: '`{total, followups}`, newest first.',
    basis: 'observed',
    levers: byKnobs('searchShape'),
  },
  {
    id: 'search-paging',
    section,
    open: 'How a search is read page by page.',
    assumed: '`page` from 0 and `perPage`; a page beyond the last one is empty.',
    basis: 'observed',
    levers: byKnobs('searchPageSize', 'searchParameters'),
  },
  {
    id: 'tag-list-answer',
    section,
    open: 'The answer of the tag list.',
    assumed: '`{tags, nextCursor}`, oldest first.',
    basis: 'observed',
    levers: byKnobs('tagListShape'),
  },
  {
    id: 'tag-list-paging',
    section,
    open: 'How the tag list is read page by page, besides `perPage`.',
    assumed:
      '`cursor` is the `nextCursor` of the page before, which is null on the last one. Another one is 400.',
    basis: 'observed',
    levers: byKnobs('tagPageSize', 'tagListShape'),
  },
  {
    id: 'template-list-answer',
    section,
    open: 'The answer of the list of custom templates, and how it is read page by page.',
    assumed: '`{templates}` with all of them: there are no pages.',
    basis: 'decided',
    levers: byKnobs('templateListShape'),
  },
  {
    id: 'stop-and-cancel-answers',
    section,
    open: 'The answers to stop and to cancel.',
    assumed: '`OK` as plain text.',
    basis: 'decided',
    levers: byKnobs('acknowledgement'),
  },
  {
    id: 'tag-link-answers',
    section,
    open: 'The answers to attaching and to detaching a tag.',
    assumed: '`{meetingId, tagId, assigned}`; a second time is no error.',
    basis: 'observed',
    levers: byKnobs('acknowledgement'),
  },
  {
    id: 'chunk-answers',
    section,
    open: 'The answers to the chunks of a file, but for the last one.',
    assumed: '`{accepted}` with the number of the chunk.',
    basis: 'decided',
    levers: byKnobs('acknowledgement'),
  },
  {
    id: 'edit-answer',
    section,
    open: 'The answer to the edit of a block.',
    assumed: '`OK` as plain text.',
    basis: 'decided',
    levers: byKnobs('acknowledgement'),
  },
  {
    id: 'report-fields',
    section,
    open: 'The JSON fields of a report.',
    assumed:
      'The observed ones. While there is no report it is 202 and a sentence that ends with the state of the meeting; of a failed meeting it is 404.',
    basis: 'observed',
    levers: byKnobs('reportShape', 'notReadyAnswer', 'extraFields'),
  },
];
