import { z } from 'zod';

/** The event kinds of the specification. The kind of an event stays open: a new one is kept, not refused. */
export const EVENT_KINDS = ['meeting.completed', 'meeting.failed'] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

/** What is known of `data`; a field of another type than the specification's is left out. */
export interface WebhookEventData {
  readonly title?: string;
  readonly is_transcript_empty?: boolean;
  /** As it came: whether it may be fetched is for the caller to decide. */
  readonly report_url?: string;
  readonly reason?: string;
}

/** The body of a delivery (specification, Events). */
export interface WebhookEvent {
  /** One of `EVENT_KINDS`, or a kind that is not known yet. */
  readonly event: string;
  readonly meeting_id: string;
  /** As it came: its format is not shown. */
  readonly timestamp: string;
  readonly data: WebhookEventData;
}

/** `detail` names the field and the rule, never the content. */
export type EventReading =
  | { readonly ok: true; readonly event: WebhookEvent; readonly text: string }
  | { readonly ok: false; readonly reason: 'not_utf8' | 'not_json' | 'wrong_shape'; readonly detail: string };

const maxEnvelopeLength = 256;
const unstorable = /[\p{Cc}\p{Surrogate}]/u;
const unstorableAnywhere = /[\0\p{Surrogate}]/u;

// One function instead of a chain of checks: this runs for every delivery, and a chain costs several times as much.
const envelopeText = z
  .unknown()
  .optional()
  .transform((value, context): string => {
    const fault = findFault(value);
    if (fault === undefined) return String(value);
    context.addIssue({ code: 'custom', message: fault });
    return z.NEVER;
  });

const dataText = z.string().transform(mendText).optional().catch(undefined);

const envelope = z.object(
  {
    event: envelopeText,
    meeting_id: envelopeText,
    timestamp: envelopeText,
    data: z
      .object({
        title: dataText,
        is_transcript_empty: z.boolean().optional().catch(undefined),
        report_url: dataText,
        reason: dataText,
      })
      .nullish()
      .transform(dropAbsent)
      .catch({}),
  },
  { error: 'must be an object' },
);

// `ignoreBOM: true` keeps a byte order mark in the text, where JSON refuses it: what is read is what was signed.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the bytes of a verified delivery: strict UTF-8, then JSON, then the envelope. Never throws on any bytes
 * (`TypeError` on anything else).
 * Of doubled keys the last one counts, as in `JSON.parse`. `text` is the whole body, unknown fields included.
 */
export function readWebhookEvent(bytes: Uint8Array): EventReading {
  if (!ArrayBuffer.isView(bytes)) throw new TypeError('The body must be bytes (Uint8Array or Buffer).');
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    // A fatal decoder has no other answer.
    return { ok: false, reason: 'not_utf8', detail: 'the body is not UTF-8' };
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // The parser's own message quotes the body.
    return { ok: false, reason: 'not_json', detail: describeNonJson(text) };
  }
  const parsed = envelope.safeParse(body);
  if (!parsed.success) return { ok: false, reason: 'wrong_shape', detail: describeShape(parsed.error) };
  return { ok: true, event: parsed.data, text };
}

function describeNonJson(text: string): string {
  if (text === '') return 'the body is empty';
  return text.startsWith('\uFEFF') ? 'the body begins with a byte order mark' : 'the body is not JSON';
}

function describeShape(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join('.') || 'the body'} ${message}`).join('; ');
}

/** What is wrong with a field of the envelope, or nothing. */
function findFault(value: unknown): string | undefined {
  if (value === undefined) return 'is missing';
  if (typeof value === 'number') {
    // A refused event is lost for ever, so numbers pass; but one that a double cannot hold exactly would name another meeting.
    const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
    return isExact ? undefined : 'must be text: a number this large is not read exactly';
  }
  if (typeof value !== 'string') return 'must be text';
  if (value.trim() === '') return 'must not be empty';
  if (value.length > maxEnvelopeLength) return `must have at most ${maxEnvelopeLength} characters`;
  // No store takes these in a key.
  return unstorable.test(value) ? 'must not hold control characters or half of a surrogate pair' : undefined;
}

/** PostgreSQL takes no NUL in text and UTF-8 no half of a surrogate pair: both become U+FFFD. */
function mendText(text: string): string {
  return unstorableAnywhere.test(text) ? text.replaceAll(/[\0\p{Surrogate}]/gu, '\uFFFD') : text;
}

type ReadData = { readonly [Key in keyof WebhookEventData]: WebhookEventData[Key] | undefined };

function dropAbsent(data: ReadData | null | undefined): WebhookEventData {
  const present: { -readonly [Key in keyof WebhookEventData]: WebhookEventData[Key] } = {};
  if (data?.title !== undefined) present.title = data.title;
  if (data?.is_transcript_empty !== undefined) present.is_transcript_empty = data.is_transcript_empty;
  if (data?.report_url !== undefined) present.report_url = data.report_url;
  if (data?.reason !== undefined) present.reason = data.reason;
  return present;
}
