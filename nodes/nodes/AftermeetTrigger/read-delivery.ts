import { asFields, asText } from '@aftermeet/client/pure';
import { readWebhookEnvelope } from '@aftermeet/contract';
import type { IDataObject } from 'n8n-workflow';

import { asDataObject } from '../Aftermeet/actions/node-operation.ts';

/** Header names in lower case. */
interface HintNames {
  readonly delivery: string;
}

/**
 * Reads the body of a delivery of the service whose signature is right (specification, "Events"). The event header is not
 * signed, so it decides nothing. Pure.
 */
export function readServiceDelivery({ body, headers }: DeliveryFacts, names: HintNames): DeliveryReading {
  const read = readWebhookEnvelope(body);
  if (!read.ok) return { ok: false, fault: read.reason };
  const { event, meeting_id: meetingId, timestamp } = read.envelope;
  return {
    ok: true,
    event: {
      event,
      meeting_id: meetingId,
      timestamp,
      ...readKnownData(read.data),
      delivery_id: readDeliveryId(headers[names.delivery]),
    },
    // Never the delivery id: a retry may carry a new one.
    identity: ['service', event, meetingId, timestamp],
  };
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads what Aftermeet's receiver sends on by its recipe `http-forward`, once its signature is right: `type`, `timestamp` and
 * `data`, which holds the meeting with its summary, decisions and tasks. Every attempt has the same `webhook-id`. Pure.
 */
export function readForwardedDelivery({ body, headers }: DeliveryFacts): DeliveryReading {
  const fields = parseFields(body);
  if (fields === undefined) return { ok: false, fault: 'not_json' };
  const event = asText(fields['type']);
  const meetingId = asText(asFields(fields['data'])?.['meeting_id']);
  if (event === undefined || meetingId === undefined) return { ok: false, fault: 'wrong_shape' };
  const [id = ''] = headers['webhook-id'] ?? [];
  return {
    ok: true,
    event: {
      event,
      meeting_id: meetingId,
      timestamp: asText(fields['timestamp']) ?? null,
      ...readKnownData(fields['data']),
      delivery_id: readDeliveryId(headers['webhook-id']),
    },
    // It is signed, unlike the delivery id of the service.
    identity: ['receiver', id],
  };
}

function parseFields(body: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    return asFields(JSON.parse(decoder.decode(body)));
  } catch {
    // What is no JSON in UTF-8 is a value here; the parser's own message would quote it.
    return undefined;
  }
}

/** The body of a delivery that is genuine. */
export type DeliveryReading =
  | {
      readonly ok: true;
      readonly event: TriggerEvent;
      /** What makes it the same as an earlier one. */
      readonly identity: readonly string[];
    }
  /** `fault` is a name for the log, never content. */
  | { readonly ok: false; readonly fault: string };

/** A request as it came: what a decision about it may look at. */
export interface DeliveryFacts {
  /** The raw bytes, which are what was signed. */
  readonly body: Uint8Array;
  /** By names in lower case, each line apart (Node's `headersDistinct`): a doubled header is seen. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
}

/** A hint of the sender for people, short and printable or not at all. Pure. */
function readDeliveryId(lines: readonly string[] | undefined): string | null {
  const [id, ...more] = lines ?? [];
  return id !== undefined && more.length === 0 && /^[\x21-\x7e]{1,128}$/.test(id) ? id : null;
}

type KnownData = Pick<TriggerEvent, 'title' | 'is_transcript_empty' | 'report_url' | 'reason' | 'data'>;

/** What is known of `data`. A field of another type than the specification's counts as absent: no event is lost for it. Pure. */
function readKnownData(value: unknown): KnownData {
  const fields = asFields(value) ?? {};
  const isEmpty = fields['is_transcript_empty'];
  return {
    title: asText(fields['title']) ?? null,
    is_transcript_empty: typeof isEmpty === 'boolean' ? isEmpty : null,
    report_url: asText(fields['report_url']) ?? null,
    reason: asText(fields['reason']) ?? null,
    data: asDataObject(value) ?? null,
  };
}

/** What both triggers return of a meeting: always these fields, null where nothing is known. The names are those on the wire. */
export interface TriggerEvent {
  /** `meeting.completed`, `meeting.failed`, or a kind that is not known yet. */
  readonly event: string;
  readonly meeting_id: string;
  /** Of the event, as it came. */
  readonly timestamp: string | null;
  readonly title: string | null;
  readonly is_transcript_empty: boolean | null;
  /** Where the report is fetched, with the API key. */
  readonly report_url: string | null;
  /** Why a meeting failed. */
  readonly reason: string | null;
  /** Not signed: for looking it up, not for telling deliveries apart. */
  readonly delivery_id: string | null;
  /** What the body holds under `data`, known here or not. */
  readonly data: IDataObject | null;
}

/** The kinds that the specification names ("Events"). */
export const knownEvents = ['meeting.completed', 'meeting.failed'] as const;
