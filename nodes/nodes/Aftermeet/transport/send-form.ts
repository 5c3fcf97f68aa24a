import { requestWhole, type WholeAnswer } from './request-whole.ts';
import type { ServiceContext } from './service-context.ts';

/** The answers to a chunk have a few hundred bytes. */
const MAX_ANSWER_BYTES = 1024 ** 2;
/** Of the answer's body, once its head is there. */
const BODY_TIMEOUT_MS = 30_000;

export interface FormRequest {
  /** What stands in errors. */
  readonly doing: string;
  readonly url: string;
  readonly boundary: string;
  /** The whole form, encoded. */
  readonly body: Buffer;
  /** Of the form and of the wait for the head of the answer. */
  readonly timeoutMs: number;
}

/** Posts one multipart form, once. Throws `ServiceError` only where there is no whole answer. */
export async function sendForm(context: ServiceContext, request: FormRequest): Promise<WholeAnswer> {
  const { boundary, ...rest } = request;
  return await requestWhole(context, {
    ...rest,
    method: 'POST',
    contentType: `multipart/form-data; boundary=${boundary}`,
    limitMs: request.timeoutMs + BODY_TIMEOUT_MS,
    maxBytes: MAX_ANSWER_BYTES,
  });
}
