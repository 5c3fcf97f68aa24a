import createClient, { type Client } from 'openapi-fetch';

import type { paths } from '../node_modules/.judges/service.js';

export type ServiceClient = Client<paths>;

export interface Session {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Told of every answer, with the path as the document has it. */
  readonly check: (method: string, path: string, response: Response) => Promise<void>;
  /** Ends the processing of a meeting. */
  readonly complete: (meetingId: string) => unknown;
}

/** A client as the document says: lists in a query are `style: form` without `explode`. */
export function openClient({ baseUrl, apiKey, check }: Session): ServiceClient {
  const client = createClient<paths>({
    baseUrl,
    headers: { 'X-API-KEY': apiKey },
    querySerializer: { array: { style: 'form', explode: false } },
  });
  client.use({
    async onResponse({ request, schemaPath, response }) {
      await check(request.method, schemaPath, response.clone());
    },
  });
  return client;
}
