import { z } from 'zod';

const blockName = z.string().min(1).max(100);

/** What a report looks like, and what is said of its workspace. */
export const reportKnobs = {
  reportShape: z
    .enum(['followup_v2', 'followup', 'report', 'data', 'bare'])
    .default('followup_v2')
    .meta({ description: 'The field that holds the report, or the report alone.' }),
  reportTimes: z.enum(['both', 'seconds', 'clock']).default('both').meta({
    description:
      'Times within a report: seconds and `MM:SS`, seconds alone, or `MM:SS` alone (`HH:MM:SS` for the duration).',
  }),
  reportSpeakers: z
    .enum(['object', 'text'])
    .default('object')
    .meta({ description: 'Who spoke, in the transcript: `{speaker}`, or the name.' }),
  reportTasks: z
    .enum(['actions', 'text'])
    .default('actions')
    .meta({ description: 'The tasks of a report: an object with `actions`, or Markdown.' }),
  generateTakesTime: z.boolean().default(false).meta({
    description:
      'Whether a meeting goes back to `processing` when a report of it is generated, until its processing ends again.',
  }),
  blockNames: z
    .record(blockName, blockName)
    .default({})
    .meta({
      description: 'Other names for the blocks of a report, in answers and in edits.',
      examples: [{ decisions: 'key_decisions' }],
    }),
  workspaceMetadata: z
    .union([z.null(), z.record(z.string().min(1).max(100), z.json())])
    .default(null)
    .meta({
      description: 'What a report says of the workspace, under `workspace`; null: nothing.',
      examples: [{ name: 'Sandbox', members: 1 }],
    }),
};
