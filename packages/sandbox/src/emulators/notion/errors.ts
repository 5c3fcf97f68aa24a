import type { Answer } from '../emulator.ts';

/** Notion's codes and their statuses: https://developers.notion.com/reference/status-codes and the SDK's `APIErrorCode`. */
export const notionErrors = {
  invalid_json: 400,
  invalid_request_url: 400,
  invalid_request: 400,
  validation_error: 400,
  missing_version: 400,
  unauthorized: 401,
  restricted_resource: 403,
  object_not_found: 404,
  conflict_error: 409,
  rate_limited: 429,
  internal_server_error: 500,
  service_unavailable: 503,
  gateway_timeout: 504,
  service_overload: 529,
} as const;

export type NotionErrorCode = keyof typeof notionErrors;

export const notionErrorCodes = Object.keys(notionErrors).filter(isErrorCode);

function isErrorCode(text: string): text is NotionErrorCode {
  return Object.hasOwn(notionErrors, text);
}

/** The most frequent code of a status. */
export function codeOfStatus(status: number): NotionErrorCode {
  if (status === 400) return 'validation_error';
  const found = notionErrorCodes.find((code) => notionErrors[code] === status);
  return found ?? (status >= 500 ? 'internal_server_error' : 'invalid_request');
}

export interface NotionRefusal {
  readonly refused: true;
  readonly code: NotionErrorCode;
  readonly message: string;
  /** Default: the status of the code. */
  readonly status?: number;
  readonly retryAfterSeconds?: number;
  readonly additionalData?: Readonly<Record<string, unknown>>;
}

export function isRefusal(outcome: unknown): outcome is NotionRefusal {
  return typeof outcome === 'object' && outcome !== null && 'refused' in outcome;
}

export function refuse(
  code: NotionErrorCode,
  more: Partial<Omit<NotionRefusal, 'refused' | 'code'>> = {},
): NotionRefusal {
  return { refused: true, code, message: `Notion says ${code}.`, ...more };
}

/** The body breaks a rule. */
export function refuseBody(message: string): NotionRefusal {
  return refuse('validation_error', { message });
}

/** A part of the call is not what the SDK's type says: `body.children[0].paragraph`. */
export function refuseField(place: string): NotionRefusal {
  return refuseBody(`${place.replace(/\W.*/s, '')} failed validation: ${place} is not what Notion takes.`);
}

/** An object that does not exist or is not shared with the connection: Notion does not tell which. */
export function refuseUnknown(what: string, id: string): NotionRefusal {
  const message = `Could not find ${what} with ID: ${id}. Make sure the relevant pages and databases are shared with your integration.`;
  return refuse('object_not_found', { message });
}

/** An object in the trash can only be read and restored. */
export function refuseTrash(): NotionRefusal {
  return refuseBody("Can't edit block that is archived. You must unarchive the block before editing.");
}

/** Notion supports this and the emulator does not. */
export function refuseUnsupported(what: string): NotionRefusal {
  return refuse('invalid_request', { message: `Unsupported request: the emulator has no ${what}.` });
}

/** https://developers.notion.com/reference/status-codes */
export function describeRefusal(refusal: NotionRefusal, requestId: string): Answer {
  const { code, message, retryAfterSeconds, additionalData } = refusal;
  const status = refusal.status ?? notionErrors[code];
  const wait = retryAfterSeconds === undefined ? undefined : String(retryAfterSeconds);
  const data = { ...additionalData, ...(wait === undefined ? {} : { retry_after: wait }) };
  return {
    status,
    headers: { 'x-notion-request-id': requestId, ...(wait === undefined ? {} : { 'Retry-After': wait }) },
    body: {
      object: 'error',
      status,
      code,
      message,
      ...(Object.keys(data).length === 0 ? {} : { additional_data: data }),
      request_id: requestId,
    },
  };
}
