import { readWebhookEnvelope, type UnreadableEvent, type WebhookEnvelope } from './webhook-envelope.ts';

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
  /** Our own mark, not the service's: `aftermeet send` sends it about a meeting that does not exist. Nothing is sent for it. */
  readonly aftermeet_test?: boolean;
}

/** The body of a delivery (specification, Events). */
export interface WebhookEvent extends WebhookEnvelope {
  readonly data: WebhookEventData;
}

export type EventReading =
  | { readonly ok: true; readonly event: WebhookEvent; readonly text: string }
  | UnreadableEvent;

const unstorableAnywhere = /[\0\p{Surrogate}]/u;

/** Reads the bytes of a verified delivery: the envelope as `readWebhookEnvelope` does, and what is known of `data`. */
export function readWebhookEvent(bytes: Uint8Array): EventReading {
  const read = readWebhookEnvelope(bytes);
  if (!read.ok) return read;
  return { ok: true, event: { ...read.envelope, data: readData(read.data) }, text: read.text };
}

/** A field of another type than the specification's is left out, and so is what is inherited. */
function readData(data: unknown): WebhookEventData {
  const known = new Map<string, unknown>(
    typeof data === 'object' && data !== null ? Object.entries(data) : [],
  );
  const title = readText(known.get('title'));
  const isTranscriptEmpty = readFlag(known.get('is_transcript_empty'));
  const reportUrl = readText(known.get('report_url'));
  const reason = readText(known.get('reason'));
  const isTest = readFlag(known.get('aftermeet_test'));
  return {
    ...(title === undefined ? {} : { title }),
    ...(isTranscriptEmpty === undefined ? {} : { is_transcript_empty: isTranscriptEmpty }),
    ...(reportUrl === undefined ? {} : { report_url: reportUrl }),
    ...(reason === undefined ? {} : { reason }),
    ...(isTest === undefined ? {} : { aftermeet_test: isTest }),
  };
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? mendText(value) : undefined;
}

function readFlag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** PostgreSQL takes no NUL in text and UTF-8 no half of a surrogate pair: both become U+FFFD. */
function mendText(text: string): string {
  return unstorableAnywhere.test(text) ? text.replaceAll(/[\0\p{Surrogate}]/gu, '\uFFFD') : text;
}
