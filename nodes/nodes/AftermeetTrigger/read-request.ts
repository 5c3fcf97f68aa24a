import type { IWebhookFunctions } from 'n8n-workflow';

import type { DeliveryFacts } from './delivery-facts.ts';

/**
 * The request of a delivery, with its bytes as they came. n8n has read them already, but for a form of parts. Undefined when
 * they cannot be read: whoever sent them went away, or sent too many.
 */
export async function readRequest(context: IWebhookFunctions): Promise<DeliveryFacts | undefined> {
  const request = context.getRequestObject();
  try {
    // n8n's types say that it is always there.
    if ((request.rawBody as Buffer | undefined) === undefined) await request.readRawBody();
  } catch {
    return undefined;
  }
  const body: unknown = request.rawBody;
  return body instanceof Uint8Array ? { body, headers: request.headersDistinct } : undefined;
}
