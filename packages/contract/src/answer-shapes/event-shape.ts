import { z } from 'zod';

import { EVENT_KINDS } from '../webhook-event.ts';

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
