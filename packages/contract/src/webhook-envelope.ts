/** What every delivery has, whatever it tells of. */
export interface WebhookEnvelope {
  /** One of `EVENT_KINDS`, or a kind that is not known yet. */
  readonly event: string;
  readonly meeting_id: string;
  /** As it came: its format is not shown. */
  readonly timestamp: string;
}

/** `detail` names the field and the rule, never the content. */
export interface UnreadableEvent {
  readonly ok: false;
  readonly reason: 'not_utf8' | 'not_json' | 'wrong_shape';
  readonly detail: string;
}

/** `data` is what the body has under that name, unread; `text` is the whole body, unknown fields included. */
export type EnvelopeReading =
  | { readonly ok: true; readonly envelope: WebhookEnvelope; readonly data: unknown; readonly text: string }
  | UnreadableEvent;

const maxLength = 256;
const unstorable = /[\p{Cc}\p{Surrogate}]/u;

// `ignoreBOM: true` keeps a byte order mark in the text, where JSON refuses it: what is read is what was signed.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the bytes of a verified delivery as far as its envelope: strict UTF-8, then JSON, then the three fields that
 * every event has. Never throws on any bytes (`TypeError` on anything else). Of doubled keys the last one counts, as
 * in `JSON.parse`. By hand, because it runs for every delivery and a schema doubles the cost.
 */
export function readWebhookEnvelope(bytes: Uint8Array): EnvelopeReading {
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
  if (!isRecord(body)) return { ok: false, reason: 'wrong_shape', detail: 'the body must be an object' };

  const { event, meeting_id: meetingId, timestamp } = body;
  if (isEnvelopeText(event) && isEnvelopeText(meetingId) && isEnvelopeText(timestamp)) {
    const envelope = { event: String(event), meeting_id: String(meetingId), timestamp: String(timestamp) };
    return { ok: true, envelope, data: body['data'], text };
  }
  const faults = Object.entries({ event, meeting_id: meetingId, timestamp }).flatMap(([name, value]) => {
    const fault = findFault(value);
    return fault === undefined ? [] : [`${name} ${fault}`];
  });
  return { ok: false, reason: 'wrong_shape', detail: faults.join('; ') };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEnvelopeText(value: unknown): value is string | number {
  return findFault(value) === undefined;
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
  if (value.length > maxLength) return `must have at most ${maxLength} characters`;
  // No store takes these in a key.
  return unstorable.test(value) ? 'must not hold control characters or half of a surrogate pair' : undefined;
}

function describeNonJson(text: string): string {
  if (text === '') return 'the body is empty';
  return text.startsWith('\uFEFF') ? 'the body begins with a byte order mark' : 'the body is not JSON';
}
