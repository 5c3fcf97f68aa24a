import { byKnobs, byOptions, byRoutes, type Assumption } from './assumption.ts';

const section = 'Nowhere';

/** What the specification does not even call open. */
export const silentAssumptions: readonly Assumption[] = [
  {
    id: 'created-tag-answer',
    section,
    open: 'The answer to a new tag.',
    assumed: '201 and `{tag, created}`; 409 with `TAG_NAME_EXISTS` where only the case differs.',
    basis: 'observed',
    levers: byKnobs('tagAnswer'),
  },
  {
    id: 'duplicate-upload-answer',
    section,
    open: 'How the protection against duplicates answers.',
    assumed:
      'A file is known again by the SHA-256 of its bytes, and answered with the meeting that it is already.',
    basis: 'decided',
    levers: byKnobs('duplicateUploadAnswer'),
  },
  {
    id: 'unfinished-uploads',
    section,
    open: 'How long the chunks of a file are kept that is never completed.',
    assumed: 'A day.',
    basis: 'decided',
    levers: byKnobs('uploadLifetimeHours'),
  },
  {
    id: 'minutes-and-plans',
    section,
    open: 'What the plans differ in, and what it means that minutes are used up.',
    assumed:
      'All three plans can do everything, and minutes are not counted. Where they are, a meeting takes its duration, rounded up; with none left, no recording begins and no upload is completed.',
    basis: 'decided',
    levers: byRoutes('POST /_sandbox/plan'),
  },
  {
    id: 'mcp-tools',
    section,
    open: 'The tools of the MCP endpoint.',
    assumed: 'One to search, one for the transcript and one for the report.',
    basis: 'decided',
    levers: byKnobs('mcpToolNames'),
  },
  {
    id: 'delivery-order',
    section,
    open: 'Whether deliveries come in order, and once.',
    assumed: 'They do, unless a fault is planned.',
    basis: 'decided',
    levers: byRoutes('POST /_sandbox/faults'),
  },
  {
    id: 'receiver-addresses',
    section,
    open: 'Which addresses a receiver may have.',
    assumed:
      'Only those of this machine. The service is observed to do the opposite: it refuses private addresses and this machine.',
    basis: 'decided',
    levers: byOptions('allowRemoteReceivers'),
  },
];
