import { meetingStates } from '@aftermeet/contract';
import { z } from 'zod';

/** A template within a meeting's report: its blocks follow from what was said, but for those that somebody rewrote. */
const meetingTemplateSchema = z
  .object({
    id: z.string(),
    /** The slug of a built-in template or the id of a custom one. */
    templateName: z.string(),
    /** The blocks that were rewritten, one entry each. */
    edits: z.array(z.object({ entityName: z.string(), text: z.string() }).readonly()).readonly(),
  })
  .readonly();

export type MeetingTemplate = z.infer<typeof meetingTemplateSchema>;

/** One meeting as the sandbox keeps it; a change makes a new value. */
export const meetingSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    /** Absent where a file was uploaded. */
    link: z.string().optional(),
    source: z.string(),
    /** The id of the user whose meeting it is. */
    authorId: z.string(),
    /** ISO 8601 with an offset: the planned start, or when the bot or the file was sent. */
    localDateTime: z.string(),
    /** False when it was sent at once: then the time does not tell two recordings apart. */
    isScheduled: z.boolean(),
    /** Present for a series. */
    cron: z.string().optional(),
    /** In the order they were made; the first one is the recording's own. */
    templates: z.array(meetingTemplateSchema).readonly(),
    tagIds: z.array(z.string()).readonly(),
    webhookUrl: z.string().optional(),
    webhookSecret: z.string().optional(),
    /** The service's own words. `new` means: ready, but the report has not been opened yet. */
    status: z.enum(meetingStates),
    /** Since when, in the sandbox's time, Unix milliseconds. */
    statusSinceMs: z.number(),
    isTranscriptEmpty: z.boolean(),
    /** Whether its minutes are taken off the plan: once for every meeting that was held. */
    areMinutesUsed: z.boolean().optional(),
    /** Why processing failed; the last time, where it failed more than once. */
    failureReason: z.string().optional(),
    /** Which of the sample meetings it is: see `content/find-script.ts`. */
    scriptId: z.string(),
  })
  .readonly();

export type Meeting = z.infer<typeof meetingSchema>;
