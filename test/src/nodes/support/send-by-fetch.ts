import { Readable } from 'node:stream';

import { signRequest } from '../../../../nodes/credentials/sign-request.ts';

type HttpRequest = Parameters<typeof signRequest>[1];

/** A request as the node made it; the key is not in it. */
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
  readonly abortSignal?: AbortSignal;
}

interface Sending {
  /** Signs the request. */
  readonly credential: Parameters<typeof signRequest>[0];
  readonly signal?: AbortSignal | undefined;
  readonly requests: SentRequest[];
  /** Sees each request as the credential left it. */
  readonly onSigned?: ((request: HttpRequest) => void) | undefined;
}

/** What n8n's `httpRequestWithAuthentication` does, done by fetch. */
export async function sendByFetch(options: RequestOptions, sending: Sending): Promise<unknown> {
  const { method = 'GET', url = '', headers = {}, body, encoding, timeout = 10_000 } = options;
  sending.requests.push({ method, url, headers, body: keepBody(body) });
  // The one cast: n8n's own type has thirty members.
  const signed = signRequest(sending.credential, { ...options, url, headers } as HttpRequest);
  sending.onSigned?.(signed);
  const limit = new AbortController();
  // Up to the head of the answer, as axios has it for a body that is a stream.
  const timer = setTimeout(() => limit.abort(new DOMException('no answer in time', 'TimeoutError')), timeout);
  // In an execution n8n puts its own signal in the place of the node's.
  const ended = sending.signal ?? options.abortSignal;
  const signals = ended === undefined ? [limit.signal] : [ended, limit.signal];
  const response = await fetch(url, {
    method,
    headers: signed.headers as Record<string, string>,
    ...(body === undefined ? {} : { body }),
    redirect: signed.disableFollowRedirect === true ? 'manual' : 'follow',
    signal: AbortSignal.any(signals),
  }).finally(() => clearTimeout(timer));
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

/** The node uses the memory of a chunk again for the next one. */
function keepBody(body: unknown): unknown {
  return body instanceof Uint8Array ? new Uint8Array(body) : body;
}

async function readBody(response: Response, encoding: RequestOptions['encoding']): Promise<unknown> {
  if (encoding === 'stream') {
    const body = response.body === null ? Readable.from([]) : Readable.fromWeb(response.body);
    // An unread body's error must not end the tests; its reader gets it.
    body.on('error', () => {});
    return streamLikeN8n(body);
  }
  const bytes = Buffer.from(await response.arrayBuffer());
  if (encoding === 'arraybuffer') return bytes;
  const text = bytes.toString('utf8');
  const isJson = encoding !== 'text' && (response.headers.get('content-type') ?? '').includes('json');
  return isJson && text !== '' ? JSON.parse(text) : text;
}

/** A body as n8n hands it over: axios reads it by a generator, so that `destroy` takes effect with the next bytes at the earliest. */
function streamLikeN8n(body: AsyncIterable<Uint8Array>): Readable {
  async function* read(): AsyncGenerator<Uint8Array> {
    for await (const piece of body) yield piece;
  }
  return Readable.from(read(), { objectMode: false });
}
