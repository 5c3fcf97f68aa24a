import { Readable } from 'node:stream';

import { streamLikeN8n } from './stream-like-n8n.ts';

/** A request as the node made it. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Those of n8n's request options that the nodes use. */
interface RequestOptions {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | FormData | Uint8Array<ArrayBuffer>;
  readonly encoding?: 'arraybuffer' | 'stream' | 'text' | 'json';
  readonly returnFullResponse?: boolean;
  readonly ignoreHttpStatusErrors?: boolean;
  readonly disableFollowRedirect?: boolean;
  readonly timeout?: number;
}

interface Sending {
  /** Absent where n8n adds no key. */
  readonly apiKey?: string;
  readonly signal?: AbortSignal | undefined;
  readonly requests: SentRequest[];
}

/** What n8n's `httpRequest` does, done by fetch. */
export async function sendByFetch(
  options: RequestOptions,
  { apiKey, signal, requests }: Sending,
): Promise<unknown> {
  const { method = 'GET', url = '', headers = {}, body, encoding, timeout = 10_000 } = options;
  requests.push({ method, url, headers, body });
  const limit = AbortSignal.timeout(timeout);
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(apiKey === undefined ? {} : { 'X-API-KEY': apiKey }) },
    ...(body === undefined ? {} : { body }),
    redirect: options.disableFollowRedirect === true ? 'manual' : 'follow',
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
  });
  if (!response.ok && options.ignoreHttpStatusErrors !== true) {
    throw Object.assign(new Error(`Request failed with status code ${response.status}`), { response });
  }
  const answer = await readBody(response, encoding);
  if (options.returnFullResponse !== true) return answer;
  return {
    statusCode: response.status,
    statusMessage: response.statusText,
    headers: Object.fromEntries(response.headers),
    body: answer,
  };
}

async function readBody(response: Response, encoding: RequestOptions['encoding']): Promise<unknown> {
  if (encoding === 'stream')
    return streamLikeN8n(response.body === null ? Readable.from([]) : Readable.fromWeb(response.body));
  const bytes = Buffer.from(await response.arrayBuffer());
  if (encoding === 'arraybuffer') return bytes;
  const text = bytes.toString('utf8');
  const isJson = encoding !== 'text' && (response.headers.get('content-type') ?? '').includes('json');
  return isJson && text !== '' ? JSON.parse(text) : text;
}
