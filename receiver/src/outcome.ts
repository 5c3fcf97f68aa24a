/** Why a delivery was not stored. The log has the cause; the sender gets the status and this word. */
export type RefusalKind =
  | 'unknown_endpoint'
  | 'removed'
  | 'overloaded'
  | 'wrong_method'
  | 'too_many'
  | 'wrong_encoding'
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
  /** The same delivery id was used before with a different body. */
  readonly isConflict: boolean;
  readonly deliveryId: string | undefined;
  /** The index of the endpoint's secret that signed it; undefined for an unsigned delivery. */
  readonly secretIndex: number | undefined;
  /** Headers that say something else than the body. */
  readonly mismatches: readonly HeaderMismatch[];
}

/** A header that does not fit the signed body. It is not signed itself, so it decides nothing. */
export type HeaderMismatch = 'event' | 'content_type';

/** The result of one delivery. */
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
  too_many: 429,
  unavailable: 503,
  removed: 503,
  overloaded: 503,
} as const satisfies Record<Outcome['kind'], number>;

/** `headers` is a flat list of names and values, which Node writes without checking each. */
export interface Answer {
  readonly status: number;
  readonly headers: string[];
  readonly body: string;
}

/**
 * The one table from outcomes to HTTP answers. All causes of one refusal have the same body, so that an answer does not
 * tell a forger which part was wrong.
 */
export function answerOf(outcome: Outcome): Answer {
  // An id is 64 hex digits, so nothing needs escaping and each character is one byte.
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
