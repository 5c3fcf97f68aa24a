import type { Answer } from '../stand-ins/create-stand-in-app.ts';
import type { NotionRefusal } from './notion-refusal.ts';

/** A refusal as Notion answers it: https://developers.notion.com/reference/status-codes */
export function describeRefusal(refusal: NotionRefusal, requestId: string): Answer {
  const { status, code, message, retryAfterSeconds, additionalData } = refusal;
  const repeated = retryAfterSeconds === undefined ? {} : { retry_after: String(retryAfterSeconds) };
  const data = { ...additionalData, ...repeated };
  return {
    status,
    headers: {
      'x-notion-request-id': requestId,
      ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
    },
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
