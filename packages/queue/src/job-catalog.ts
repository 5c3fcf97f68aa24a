import { z } from 'zod';

/**
 * One accepted delivery. `body` is the JSON text exactly as it was signed, so that a replay years
 * later reads it with the schema of its own time.
 */
export const eventJobSchema = z.object({
  endpoint: z.string(),
  /** The capability part of the address in derive mode. */
  key: z.string().optional(),
  /** The unsigned delivery header: a hint for people, never an identity. */
  deliveryId: z.string().optional(),
  /** ISO 8601, UTC. */
  receivedAt: z.string(),
  body: z.string(),
  /** Nobody signed it: a hint that a meeting is worth asking the service about, and nothing more. */
  isUnsigned: z.boolean().optional(),
});

/** One effect to bring about: one recipe, one target, one part of it. */
export const effectJobSchema = z.object({
  /** The ledger's key: a hash of (workspace, recipe, event, meeting_id, occurrence, target, part). */
  effectKey: z.string(),
  recipe: z.string(),
  target: z.string(),
  part: z.number().int().nonnegative(),
  event: z.object({
    kind: z.string(),
    meetingId: z.string(),
    /** The event's own timestamp: a series reuses its meeting id. */
    occurrence: z.string(),
    endpoint: z.string(),
    title: z.string().optional(),
    reason: z.string().optional(),
    isTranscriptEmpty: z.boolean().optional(),
    reportUrl: z.string().optional(),
    /** ISO 8601, UTC: when the receiver stored the delivery. */
    receivedAt: z.string(),
  }),
});

export type EventJob = z.infer<typeof eventJobSchema>;
export type EffectJob = z.infer<typeof effectJobSchema>;

/** Every kind of job, with what its data must look like and how often it may be tried. */
export const jobCatalog = {
  event: { schema: eventJobSchema, attempts: 20 },
  effect: { schema: effectJobSchema, attempts: 12 },
} as const;

export type JobName = keyof typeof jobCatalog;
export type JobData<Name extends JobName> = z.infer<(typeof jobCatalog)[Name]['schema']>;
