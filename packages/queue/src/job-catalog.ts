import { createHash } from 'node:crypto';

import { z } from 'zod';

/**
 * One accepted delivery. `body` is the JSON text exactly as it was signed, so that a later replay parses it with the
 * schema of its own time.
 */
export const eventJobSchema = z.object({
  endpoint: z.string(),
  /** The capability part of the address in derive mode. */
  key: z.string().optional(),
  /** From the delivery header, which is not signed: for operators, never an identity. */
  deliveryId: z.string().optional(),
  /** ISO 8601, UTC. */
  receivedAt: z.string(),
  body: z.string(),
  /** An unsigned delivery: only its meeting id is used, to fetch the report. */
  isUnsigned: z.boolean().optional(),
  /** The OpenTelemetry span of the delivery, where the receiver traces (W3C traceparent). */
  traceparent: z.string().optional(),
});

/** The name of a destination, such as `slack`: effects have a queue for each, so that a slow one delays no other. */
export const destinationNameSchema = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/);

/** One effect to deliver: one recipe, one target, one part. Field names are stored and stay. */
export const effectJobSchema = z.object({
  /** The ledger's key: a hash of (workspace, recipe, event, meeting_id, occurrence, target, part, item). */
  effectKey: z.string(),
  destination: destinationNameSchema,
  recipe: z.string(),
  target: z.string(),
  part: z.number().int().nonnegative(),
  /** The part of the meeting, where it is not the whole: the key of a task, an owner. */
  item: z.string().optional(),
  /** Of a request for approval: the effect that waits for it. */
  held: z
    .object({
      effectKey: z.string(),
      destination: destinationNameSchema,
      target: z.string(),
      part: z.number().int().nonnegative(),
      item: z.string().optional(),
      eventKind: z.string(),
    })
    .optional(),
  event: z.object({
    kind: z.string(),
    meetingId: z.string(),
    /** The event's own timestamp, because a series reuses its meeting id. */
    occurrence: z.string(),
    endpoint: z.string(),
    title: z.string().optional(),
    reason: z.string().optional(),
    isTranscriptEmpty: z.boolean().optional(),
    reportUrl: z.string().optional(),
    /** For an event about a recipe: its name. */
    recipe: z.string().optional(),
    /** For a scheduled event: when it was due before. ISO 8601. */
    since: z.string().optional(),
    /** When the receiver stored the delivery. ISO 8601, UTC. */
    receivedAt: z.string(),
  }),
  /** W3C trace id, 32 hex digits; the same for all effects of one delivery. */
  traceId: z.string().optional(),
  /** The OpenTelemetry span that queued it, where the worker traces (W3C traceparent). */
  traceparent: z.string().optional(),
  /** The reserved slot of its rate-limit key, in milliseconds of the store's clock. */
  slotMs: z.number().optional(),
  /** The reason of the last wait, since when, and how often in a row; longer waits and the end of patience follow from it. */
  obstacle: z.object({ why: z.string(), sinceMs: z.number(), times: z.number().int().positive() }).optional(),
  /**
   * Why start number `start` ended with a wait: its code, and in words without secrets and addresses. For operators: an
   * effect that waits before it is claimed has no ledger entry.
   */
  lastWait: z.object({ why: z.string(), cause: z.string(), start: z.number().int() }).optional(),
  /** How many dependent effects, such as the replies to a message, are queued. */
  queuedFollowers: z.number().int().nonnegative().optional(),
  /** The number of clean starts: the first starts that are known to have ended without a crash. */
  restedStarts: z.number().int().nonnegative().optional(),
});

/** A scheduled job: the search for lost deliveries, or a recipe with a schedule. */
const scheduleJobSchema = z.discriminatedUnion('task', [
  z.object({ task: z.literal('reconcile') }),
  z.object({ task: z.literal('recipe'), recipe: z.string() }),
]);

export type EventJob = z.infer<typeof eventJobSchema>;

export type EffectJob = z.infer<typeof effectJobSchema>;

export type ScheduleJob = z.infer<typeof scheduleJobSchema>;

/** Each kind of job with the schema of its data and the number of attempts. */
export const jobCatalog = {
  event: { schema: eventJobSchema, attempts: 20 },
  effect: { schema: effectJobSchema, attempts: 12 },
  schedule: { schema: scheduleJobSchema, attempts: 3 },
} as const;

export type JobName = keyof typeof jobCatalog;

export type JobData<Name extends JobName> = z.infer<(typeof jobCatalog)[Name]['schema']>;

/** In JSON text: NUL and lone surrogates, which PostgreSQL's `jsonb` refuses inside strings. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/**
 * The stored form of job data: unchanged, or as JSON text where PostgreSQL's `jsonb` cannot hold it (NUL and lone
 * surrogates inside strings).
 */
export function encodeJobData(data: object): object {
  const text = JSON.stringify(data);
  return UNSTORABLE.test(text) ? { json: text } : data;
}

/** The JSON text of {@link encodeJobData}. */
export function encodeJobText(data: object): string {
  const text = JSON.stringify(data);
  return UNSTORABLE.test(text) ? JSON.stringify({ json: text }) : text;
}

/** Reverses {@link encodeJobData}. Throws when the JSON text inside is broken. */
export function decodeJobData(stored: unknown): unknown {
  if (typeof stored !== 'object' || stored === null || !('json' in stored)) return stored;
  const { json } = stored;
  return typeof json === 'string' ? JSON.parse(json) : stored;
}

/** Parses the stored data of a job; undefined when it does not match the schema of its kind. */
export function parseJobData<Name extends JobName>(name: Name, stored: unknown): JobData<Name> | undefined {
  try {
    const parsed = jobCatalog[name].schema.safeParse(decodeJobData(stored));
    // The catalog pairs name and schema; the compiler loses the pair on a generic name.
    return parsed.success ? (parsed.data as JobData<Name>) : undefined;
  } catch {
    // Broken JSON text inside.
    return undefined;
  }
}

/**
 * Makes any text usable as a job id and as a key. BullMQ refuses ids with a colon and bare integers, PostgreSQL refuses
 * NUL; such texts, and long ones, are replaced by their SHA-256 (64 hex digits).
 */
export function toSafeId(text: string): string {
  if (/^[A-Za-z0-9_-]{1,128}$/.test(text) && !/^-?\d+$/.test(text)) return text;
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
