/** Why a delivery was not stored. The log names the reason; the sender only ever sees the status. */
export type RefusalKind =
  | 'unknown_endpoint'
  | 'wrong_method'
  | 'too_many'
  | 'wrong_encoding'
  | 'wrong_content_type'
  | 'too_large'
  | 'unauthorized'
  | 'malformed'
  | 'unavailable';

export interface Refused {
  readonly kind: RefusalKind;
  /** For the log: names, never content. */
  readonly cause: string;
  readonly retryAfterSeconds?: number;
}

interface Stored {
  readonly kind: 'accepted' | 'duplicate';
  readonly id: string;
  /** Its sender used the same delivery id for another body before. */
  readonly isConflict: boolean;
  readonly deliveryId: string | undefined;
  /** Of the endpoint's secrets, the one that signed it; absent when nobody did. */
  readonly secretIndex: number | undefined;
}

/** What became of one delivery. */
export type Outcome = Stored | Refused;

export const statuses = {
  accepted: 200,
  duplicate: 200,
  malformed: 400,
  unauthorized: 401,
  unknown_endpoint: 404,
  wrong_method: 405,
  too_large: 413,
  wrong_encoding: 415,
  wrong_content_type: 415,
  too_many: 429,
  unavailable: 503,
} as const satisfies Record<Outcome['kind'], number>;

/** `headers` is a flat list of names and values: Node writes it without a look at each. */
export interface Answer {
  readonly status: number;
  readonly headers: string[];
  readonly body: string;
}

/**
 * The one table from outcomes to HTTP answers. Every cause of a refusal has the same body, so that
 * nobody learns from an answer which part of a forgery was wrong.
 */
export function answerOf(outcome: Outcome): Answer {
  // An id is 64 hex digits: nothing in it needs an escape, and every character is one byte.
  const body =
    'id' in outcome
      ? `{"status":"${outcome.kind}","id":"${outcome.id}"}`
      : `{"status":"refused","reason":"${outcome.kind}"}`;
  const headers = ['content-type', 'application/json', 'content-length', String(body.length)];
  if (!('id' in outcome)) {
    if (outcome.kind === 'wrong_method') headers.push('allow', 'POST');
    if (outcome.retryAfterSeconds !== undefined) {
      headers.push('retry-after', String(outcome.retryAfterSeconds));
    }
  }
  return { status: statuses[outcome.kind], headers, body };
}
