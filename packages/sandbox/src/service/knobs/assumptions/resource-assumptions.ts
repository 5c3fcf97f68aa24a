import { byKnobs, byOptions, byRoutes, type Assumption } from './assumption.ts';

/** What meetings, reports, tags and templates are. */
export const resourceAssumptions: readonly Assumption[] = [
  {
    id: 'platform-identifiers',
    section: 'What the service does',
    open: 'The ten platform identifiers; two of them appear as values of `source`.',
    assumed:
      'Any text is taken. Observed are gmeet, zoom, yandextelemost, sberjazz, trueconf, konturtalk, msteams, jitsi, mtslink and lark, and other spellings of them; without a source it is guessed from the link.',
    basis: 'observed',
    levers: byKnobs('sources'),
  },
  {
    id: 'workspace-metadata',
    section: 'Resources and their fields',
    open: 'The fields of the workspace metadata that belong to the data of a meeting.',
    assumed: 'A report says nothing of its workspace.',
    basis: 'decided',
    levers: byKnobs('workspaceMetadata'),
  },
  {
    id: 'meeting-fields',
    section: 'Resources and their fields',
    open: 'The fields of a meeting besides title, link, source, time, participants, duration, tags and user.',
    assumed:
      'A found meeting has `id`, `name` and `tags` as observed, and `date`, `source` and `status` beside them.',
    basis: 'observed',
    levers: byKnobs('meetingFields', 'extraFields'),
  },
  {
    id: 'report-structure',
    section: 'Resources and their fields',
    open: 'How a report is built.',
    assumed:
      '`{followup_v2, feedback, media_type, tags}`: speakers, chapters with what was said in them, and one entry of blocks per template. The tasks are a block with `actions`.',
    basis: 'observed',
    levers: byKnobs('reportShape', 'reportTimes', 'reportSpeakers', 'reportTasks'),
  },
  {
    id: 'block-names',
    section: 'Resources and their fields',
    open: 'The names of report blocks besides `summary`.',
    assumed: 'The observed ones, such as `summary_agenda`, `protocol` and `tasks`, and `decisions`.',
    basis: 'observed',
    levers: byKnobs('blockNames'),
  },
  {
    id: 'tag-colors',
    section: 'Resources and their fields',
    open: 'The values that the colour of a tag may have.',
    assumed: 'Eight names; a tag that is made without a colour is blue.',
    basis: 'observed',
    levers: byKnobs('tagColors'),
  },
  {
    id: 'template-fields',
    section: 'Resources and their fields',
    open: 'The fields of a custom template besides its id and name.',
    assumed: 'None.',
    basis: 'decided',
    levers: byKnobs('templateFields'),
  },
  {
    id: 'meeting-states',
    section: 'States and transitions',
    open: 'The states of a meeting.',
    assumed:
      'queued, recording, processing, new, processed and failed. `new` is a meeting that is ready and whose report nobody has opened; the first reading makes it `processed`.',
    basis: 'observed',
    levers: byKnobs('stateWords'),
  },
  {
    id: 'meeting-transitions',
    section: 'States and transitions',
    open: 'What moves a meeting from one state to the next.',
    assumed:
      'Whatever `transitions` says: only the control routes, the time of the sandbox, as soon as possible, or so many status queries. A failed meeting may be completed later, and one whose report is generated stays ready.',
    basis: 'decided',
    levers: [
      ...byOptions('transitions', 'timeScale'),
      ...byKnobs('generateTakesTime'),
      ...byRoutes(
        'POST /_sandbox/meetings/:id/complete',
        'POST /_sandbox/meetings/:id/fail',
        'POST /_sandbox/clock',
      ),
    ],
  },
];
