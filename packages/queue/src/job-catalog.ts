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

/** Where effects go: each has a queue of its own, so that a slow one keeps no worker from the others. */
export const effectDestinations = ['slack', 'notion', 'email', 'http', 'folder', 'service'] as const;

export type EffectDestination = (typeof effectDestinations)[number];

/** One effect to bring about: one recipe, one target, one part of it. */
export const effectJobSchema = z.object({
  /** The ledger's key: a hash of (workspace, recipe, event, meeting_id, occurrence, target, part, item). */
  effectKey: z.string(),
  destination: z.enum(effectDestinations),
  recipe: z.string(),
  target: z.string(),
  part: z.number().int().nonnegative(),
  /** What of its meeting it is about, where it is not about all of it: the key of a task, an owner. */
  item: z.string().optional(),
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
    /** Of an event about a recipe: which. */
    recipe: z.string().optional(),
    /** Of an event that is due by the clock: when it was due before. ISO 8601. */
    since: z.string().optional(),
    /** ISO 8601, UTC: when the receiver stored the delivery. */
    receivedAt: z.string(),
  }),
  /** W3C trace id, 32 hex digits: the same for everything that one delivery causes. */
  traceId: z.string().optional(),
  /** Its turn in the line of its lane, in the lane's own time. */
  turnMs: z.number().optional(),
  /** What it met the last time, since when, and how often in a row: waits grow by it, and patience ends by it. */
  obstacle: z.object({ why: z.string(), sinceMs: z.number(), times: z.number().int().positive() }).optional(),
  /** How much of what belongs to it, such as the replies to a message, is queued. */
  spread: z.number().int().nonnegative().optional(),
  /** How many of its first starts are known to have ended in an orderly way, without a gap. */
  restedStarts: z.number().int().nonnegative().optional(),
});

/** Something that is due by the clock: a search for deliveries that never came, a recipe with a schedule. */
const scheduleJobSchema = z.discriminatedUnion('task', [
  z.object({ task: z.literal('reconcile') }),
  z.object({ task: z.literal('recipe'), recipe: z.string() }),
]);

export type EventJob = z.infer<typeof eventJobSchema>;
export type EffectJob = z.infer<typeof effectJobSchema>;
export type ScheduleJob = z.infer<typeof scheduleJobSchema>;

/** Every kind of job, with what its data must look like and how often it may be tried. */
export const jobCatalog = {
  event: { schema: eventJobSchema, attempts: 20 },
  effect: { schema: effectJobSchema, attempts: 12 },
  schedule: { schema: scheduleJobSchema, attempts: 3 },
} as const;

export type JobName = keyof typeof jobCatalog;
export type JobData<Name extends JobName> = z.infer<(typeof jobCatalog)[Name]['schema']>;
