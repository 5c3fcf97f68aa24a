import { z } from 'zod';

import { meetingStates } from './meeting-shapes.ts';

/** Observed names of report blocks besides `summary`; an open set. */
export const blockNames = [
  'summary_agenda',
  'sales_general',
  'sales_coach',
  'hr_summary',
  'questions_and_answers',
  'research_insights',
  'team_sync_agenda',
  'summary_by_speaker',
  'one_to_one',
  'protocol',
  'med-anamnesis',
  'tasks',
] as const;

const speaker = z.looseObject({ speaker: z.string().optional() });

const segment = z.looseObject({
  speaker: z
    .union([speaker, z.string()])
    .meta({ description: 'Who spoke: a name, or an object that holds it' })
    .optional(),
  text: z.string().meta({ description: 'What was said' }).optional(),
  timestamp: z.string().meta({ description: 'When, from the start: MM:SS' }).optional(),
  startSeconds: z.number().meta({ description: 'Seconds from the start' }).optional(),
  endSeconds: z.number().meta({ description: 'Seconds from the start' }).optional(),
});

const chapter = z.looseObject({
  name: z.string().meta({ description: 'What the chapter is about' }).optional(),
  startSeconds: z.number().meta({ description: 'Seconds from the start' }).optional(),
  endSeconds: z.number().meta({ description: 'Seconds from the start' }).optional(),
  transcript: z.array(segment).optional(),
});

const taskList = z.looseObject({ actions: z.array(z.unknown()).optional() });

const block = z.looseObject({
  name: z
    .string()
    .meta({
      description: 'The block, as `entityName` of an edit; an open set',
      examples: ['summary'],
      observedExamples: blockNames,
    })
    .optional(),
  text: z
    .union([z.string(), taskList])
    .meta({ description: 'Its text; of the tasks possibly an object with a list' })
    .optional(),
});

const reportTemplate = z.looseObject({
  id: z
    .string()
    .meta({ description: 'The template within this report, as `templateId` of an edit' })
    .optional(),
  name: z.string().optional(),
  entities: z.array(block).meta({ description: 'The blocks' }).optional(),
});

/** The observed JSON of a report. The specification shows of it `is_transcript_empty` and a block `summary`. */
export const reportShape = z
  .looseObject({
    followup_v2: z
      .looseObject({
        name: z.string().meta({ description: 'The meeting title' }).optional(),
        date: z.string().meta({ description: 'When the meeting took place' }).optional(),
        duration: z
          .union([z.number(), z.string()])
          .meta({ description: 'How long the meeting took: seconds, or text such as MM:SS' })
          .optional(),
        source: z.string().meta({ description: 'The meeting platform' }).optional(),
        status: z.string().meta({ observedExamples: meetingStates }).optional(),
        is_transcript_empty: z.boolean().optional(),
        keywords: z.array(z.string()).optional(),
        speakers: z
          .array(
            z.looseObject({
              id: z.string().optional(),
              speaker: z.string().meta({ description: 'The name' }).optional(),
              color: z.string().optional(),
            }),
          )
          .optional(),
        chapters: z.array(chapter).meta({ description: 'The transcript' }).optional(),
        templates: z.array(reportTemplate).meta({ description: 'The report, once per template' }).optional(),
      })
      .optional(),
    feedback: z.unknown().optional(),
    media_type: z.string().optional(),
    tags: z.array(z.unknown()).optional(),
  })
  .meta({ description: 'Everything known of a meeting', observed: true });
