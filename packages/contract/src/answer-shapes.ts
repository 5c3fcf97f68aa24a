import * as z from 'zod';

import { observedErrorCodes } from './error-codes.ts';
import { blockNames, meetingStates, tagColors } from './vocabulary.ts';
import { EVENT_KINDS } from './webhook-event.ts';

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

/** The observed status: plain text. */
export const statusShape = z.string().meta({
  description: 'How far the meeting is; an open set. `new` means ready but not opened yet',
  observed: true,
  observedExamples: meetingStates,
});

/** The observed answer of a report that is not ready: plain text. */
export const notReadyShape = z.string().meta({
  description: 'A sentence with the status',
  observed: true,
  observedExamples: ['Meeting is in progress now, status: processing'],
});

/** The observed meeting of a search. */
export const foundMeetingShape = z
  .looseObject({
    id: z.string().meta({ description: 'The meeting' }).optional(),
    name: z.string().meta({ description: 'The meeting title' }).optional(),
    tags: z.array(z.unknown()).optional(),
  })
  .meta({ description: 'A meeting that was found', observed: true });

/** The observed page of a search. */
export const meetingPageShape = z
  .looseObject({
    total: z.number().meta({ description: 'How many meetings were found, on all pages' }).optional(),
    followups: z.array(foundMeetingShape).meta({ description: 'The meetings of this page' }).optional(),
  })
  .meta({ description: 'One page of meetings', observed: true });

/** The observed tag. */
export const tagShape = z
  .looseObject({
    id: z.string().meta({ description: 'The tag' }).optional(),
    name: z.string().optional(),
    color: z.string().meta({ observedExamples: tagColors }).optional(),
  })
  .meta({ description: 'A tag of the workspace', observed: true });

/** The observed page of the tag list. */
export const tagPageShape = z
  .looseObject({
    tags: z.array(tagShape).meta({ description: 'The tags of this page' }).optional(),
    nextCursor: z
      .string()
      .nullish()
      .meta({ description: 'Where the next page begins; absent or null on the last one' }),
  })
  .meta({ description: 'One page of tags', observed: true });

/** The observed answer to a new tag. */
export const createdTagShape = z
  .looseObject({ tag: tagShape.optional(), created: z.boolean().optional() })
  .meta({ description: 'The new tag', observed: true });

/** The observed answer to attaching and detaching. */
export const tagLinkShape = z
  .looseObject({
    meetingId: z.string().meta({ description: 'The meeting' }).optional(),
    tagId: z.string().meta({ description: 'The tag' }).optional(),
    assigned: z.boolean().meta({ description: 'Whether the meeting has the tag now' }).optional(),
  })
  .meta({ description: 'A tag on a meeting', observed: true });

/** The answer to a chunk. The specification shows it for the last one, and says nothing of the others. */
export const chunkShape = z
  .looseObject({
    meeting_id: z
      .string()
      .meta({ description: 'The new meeting; in the answer to the last chunk' })
      .optional(),
    user_id: z
      .string()
      .meta({ description: 'Whose upload it is; in the answer to the last chunk' })
      .optional(),
  })
  .meta({ description: 'What became of a chunk' });

/** The answer to a generation, as in the specification. */
export const generationShape = z
  .looseObject({
    followup: z.looseObject({}).meta({ description: 'The report; its fields are not shown' }),
    created_template_id: z
      .string()
      .meta({ description: 'The template within the report, as `templateId` of an edit' }),
  })
  .meta({ description: 'A generated report' });

/** The observed JSON of an error. */
export const errorShape = z
  .looseObject({
    code: z
      .string()
      .meta({
        description: 'What went wrong, for programs; an open set',
        observedExamples: observedErrorCodes,
      })
      .optional(),
    message: z.string().meta({ description: 'What went wrong, for people' }).optional(),
    field: z.string().meta({ description: 'The field that is wrong, where it is one' }).optional(),
  })
  .meta({ description: 'Why a request was refused', observed: true });

/** The body of a delivery, as in the specification; to read one, use `readWebhookEvent`. */
export const eventShape = z
  .looseObject({
    event: z.string().meta({ description: 'The event kind', examples: [...EVENT_KINDS] }),
    meeting_id: z.string().meta({ description: 'The meeting' }),
    timestamp: z.string().meta({
      description: 'The event time; the format is not shown',
      observedExamples: ['2026-07-07T12:00:00Z'],
    }),
    data: z
      .looseObject({
        title: z.string().meta({ description: 'The meeting title' }).optional(),
        is_transcript_empty: z.boolean().meta({ description: 'Whether the transcript is empty' }).optional(),
        report_url: z
          .string()
          .meta({
            description:
              'Where the report is fetched, with the API key; only an address of the service may be followed',
            format: 'uri',
          })
          .optional(),
        reason: z.string().meta({ description: 'Why processing failed; of `meeting.failed`' }).optional(),
      })
      .optional(),
  })
  .meta({ description: 'What a delivery says' });
