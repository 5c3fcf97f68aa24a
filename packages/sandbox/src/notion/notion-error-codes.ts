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

export const notionErrorCodes = Object.keys(notionErrors).filter(isNotionErrorCode);

function isNotionErrorCode(text: string): text is NotionErrorCode {
  return Object.hasOwn(notionErrors, text);
}

/** The commonest code of a status. */
export function findErrorCode(status: number): NotionErrorCode {
  const usual: Readonly<Record<number, NotionErrorCode>> = { 400: 'validation_error' };
  const found = notionErrorCodes.find((code) => notionErrors[code].status === status);
  return usual[status] ?? found ?? (status >= 500 ? 'internal_server_error' : 'invalid_request');
}
