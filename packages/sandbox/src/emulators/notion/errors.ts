import type { Answer } from '../emulator.ts';

/** Notion's codes and their statuses: https://developers.notion.com/reference/status-codes and the SDK's `APIErrorCode`. */
export const notionErrors = {
  invalid_json: { status: 400, message: 'Error parsing JSON body.' },
  invalid_request_url: { status: 400, message: 'Invalid request URL.' },
  invalid_request: { status: 400, message: 'This request is not supported.' },
  validation_error: {
    status: 400,
    message: 'body failed validation: body.properties should be defined, instead was `undefined`.',
  },
  missing_version: {
    status: 400,
    message:
      'Notion-Version header failed validation: Notion-Version header should be defined, instead was `undefined`.',
  },
  unauthorized: { status: 401, message: 'API token is invalid.' },
  restricted_resource: { status: 403, message: 'Insufficient permissions for this endpoint.' },
  object_not_found: {
    status: 404,
    message:
      'Could not find page. Make sure the relevant pages and databases are shared with your integration.',
  },
  conflict_error: { status: 409, message: 'Conflict occurred while saving. Please try again.' },
  rate_limited: { status: 429, message: 'You have been rate limited. Please try again later.' },
  internal_server_error: { status: 500, message: 'Unexpected error occurred.' },
  service_unavailable: { status: 503, message: 'Notion is unavailable, please try again later.' },
  gateway_timeout: { status: 504, message: 'Notion timed out while attempting to complete this request.' },
  service_overload: { status: 529, message: 'Notion is temporarily overloaded. Please try again later.' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly message: string }>>;

export type NotionErrorCode = keyof typeof notionErrors;

export const notionErrorCodes = Object.keys(notionErrors).filter(isErrorCode);

function isErrorCode(text: string): text is NotionErrorCode {
  return Object.hasOwn(notionErrors, text);
}

/** The most frequent code of a status. */
export function codeOfStatus(status: number): NotionErrorCode {
  if (status === 400) return 'validation_error';
  const found = notionErrorCodes.find((code) => notionErrors[code].status === status);
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
  return { refused: true, code, message: notionErrors[code].message, ...more };
}

/** The body breaks a rule. */
export function refuseBody(message: string): NotionRefusal {
  return refuse('validation_error', { message });
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
  const status = refusal.status ?? notionErrors[code].status;
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
