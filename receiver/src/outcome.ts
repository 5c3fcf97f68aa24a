/** Why a delivery was not stored. The log names the reason; the sender only ever sees the status. */
type Refusal =
  | 'unknown_endpoint'
  | 'wrong_method'
  | 'too_many'
  | 'wrong_encoding'
  | 'wrong_content_type'
  | 'too_large'
  | 'unauthorized'
  | 'malformed'
  | 'unavailable';

/** What became of one delivery. */
export type Outcome =
  | { readonly kind: 'accepted' | 'duplicate'; readonly id: string }
  | {
      readonly kind: Refusal;
      /** For the log: names, never content. */
      readonly cause: string;
      readonly retryAfterSeconds?: number;
    };

const statuses = {
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

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The one table from outcomes to HTTP answers. Every cause of a refusal has the same body, so that
 * nobody learns from an answer which part of a forgery was wrong.
 */
export function answerOf(outcome: Outcome): Answer {
  const content =
    'id' in outcome ? { status: outcome.kind, id: outcome.id } : { status: 'refused', reason: outcome.kind };
  const body = JSON.stringify(content);
  return {
    status: statuses[outcome.kind],
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      ...(outcome.kind === 'wrong_method' ? { allow: 'POST' } : {}),
      ...('retryAfterSeconds' in outcome && outcome.retryAfterSeconds !== undefined
        ? { 'retry-after': String(outcome.retryAfterSeconds) }
        : {}),
    },
    body,
  };
}
