import { z } from 'zod';

/**
 * Observed values of a meeting's status; an open set. `new` means ready: it turns `processed` when the report
 * is read for the first time.
 */
export const meetingStates = ['new', 'queued', 'processing', 'processed', 'failed', 'recording'] as const;

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
