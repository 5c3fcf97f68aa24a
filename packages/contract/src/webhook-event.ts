import * as z from 'zod';

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

const dataText = z.string().transform(mendText).optional().catch(undefined);

const dataSchema = z
  .object({
    title: dataText,
    is_transcript_empty: z.boolean().optional().catch(undefined),
    report_url: dataText,
    reason: dataText,
    aftermeet_test: z.boolean().optional().catch(undefined),
  })
  .nullish()
  .transform(omitUndefined)
  .catch({});

/** Reads the bytes of a verified delivery: the envelope as `readWebhookEnvelope` does, and what is known of `data`. */
export function readWebhookEvent(bytes: Uint8Array): EventReading {
  const read = readWebhookEnvelope(bytes);
  if (!read.ok) return read;
  return { ok: true, event: { ...read.envelope, data: z.parse(dataSchema, read.data) }, text: read.text };
}

/** PostgreSQL takes no NUL in text and UTF-8 no half of a surrogate pair: both become U+FFFD. */
function mendText(text: string): string {
  return unstorableAnywhere.test(text) ? text.replaceAll(/[\0\p{Surrogate}]/gu, '\uFFFD') : text;
}

type ReadData = { readonly [Key in keyof WebhookEventData]: WebhookEventData[Key] | undefined };

function omitUndefined(data: ReadData | null | undefined): WebhookEventData {
  const present: { -readonly [Key in keyof WebhookEventData]: WebhookEventData[Key] } = {};
  if (data?.title !== undefined) present.title = data.title;
  if (data?.is_transcript_empty !== undefined) present.is_transcript_empty = data.is_transcript_empty;
  if (data?.report_url !== undefined) present.report_url = data.report_url;
  if (data?.reason !== undefined) present.reason = data.reason;
  if (data?.aftermeet_test !== undefined) present.aftermeet_test = data.aftermeet_test;
  return present;
}
