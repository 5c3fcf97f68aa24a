import {
  asFields,
  asList,
  asText,
  describeAnswer,
  refusalToError,
  isWebPage,
  ServiceError,
  type ServiceErrorCode,
} from '@aftermeet/client/pure';

import { requestRaw, type ServiceContext } from '../transport/raw-request.ts';
import { isFileStream } from '../transport/streams.ts';

/** One request to the MCP endpoint. */
interface McpHttpRequest {
  readonly method: 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly message?: Readonly<Record<string, unknown>>;
}

/** Its answer, whose body is read piece by piece: an event stream need not end. */
interface McpHttpAnswer {
  readonly status: number;
  /** By a name in lower case. */
  readonly readHeader: (name: string) => string | null;
  /** Ends with an error when the time of the request is up. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Gives up what was not read. Never throws. */
  readonly giveUp: () => void;
}

/** Sends a request and adds the key. Throws `ServiceError` when there is no answer; any status is one. */
type McpExchange = (request: McpHttpRequest) => Promise<McpHttpAnswer>;

/** The result is there already. */
const GOODBYE_WITHIN_MS = 5000;

interface ExchangeFacts {
  /** Of the MCP endpoint, without `/mcp`. */
  readonly mcpUrl: string;
  readonly doing: string;
  /** For a whole request, its answer included: an event stream may stay open. */
  readonly timeoutMs: number;
}

/** Sends through n8n, whose credential adds the bearer token (credentials/sign-request.ts). */
export function exchangeWithN8n(context: ServiceContext, facts: ExchangeFacts): McpExchange {
  const { mcpUrl, doing, timeoutMs } = facts;
  return async ({ method, headers, message }) => {
    const withinMs = method === 'DELETE' ? Math.min(timeoutMs, GOODBYE_WITHIN_MS) : timeoutMs;
    const answer = await requestRaw(context, {
      doing,
      method,
      url: `${mcpUrl}/mcp`,
      headers,
      ...(message === undefined ? {} : { body: JSON.stringify(message) }),
      timeoutMs: withinMs,
      limitMs: withinMs,
    });
    const { status, readHeader, body, explain } = answer;
    if (!isFileStream(body)) {
      throw new ServiceError({
        code: 'unreadable',
        operation: doing,
        status,
        detail: 'the answer is no stream',
      });
    }
    return {
      status,
      readHeader,
      pieces: readPieces(body, explain),
      giveUp: () => void body.destroy(),
    };
  };
}

async function* readPieces(
  body: AsyncIterable<unknown>,
  explain: (error: unknown) => ServiceError,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of body) {
      if (!(piece instanceof Uint8Array)) throw new TypeError('a piece is not made of bytes');
      yield piece;
    }
  } catch (error) {
    throw explain(error);
  }
}

/** The server does not know the session any more (404): nothing was done, and a new one may be opened. */
export class SessionLost extends ServiceError {}

export interface McpWire {
  readonly exchange: McpExchange;
  /** What stands in errors. */
  readonly doing: string;
  /** What no error may repeat. */
  readonly secrets: readonly string[];
  readonly budget: ByteBudget;
}

interface PostedMessage {
  readonly message: McpMessage & { readonly id?: number };
  /** Those of the session. */
  readonly headers: Readonly<Record<string, string>>;
}

interface PostedReply {
  /** Undefined for a notification, which has none. */
  readonly reply: McpMessage | undefined;
  readonly sessionId: string | undefined;
}

/** Enough for a description of an error. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/**
 * Posts one message and reads the reply to it. Throws `ServiceError`
 * for every other status but 2xx, and `SessionLost`.
 */
export async function postMessage(wire: McpWire, posted: PostedMessage): Promise<PostedReply> {
  const { message, headers } = posted;
  const answer = await wire.exchange({
    method: 'POST',
    headers: {
      ...headers,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    message,
  });
  try {
    const { doing, budget } = wire;
    if (answer.status < 200 || answer.status >= 300) return await readRefusal(wire, posted, answer);
    const sessionId = readSessionId(answer, doing);
    if (message.id === undefined) return { reply: undefined, sessionId };
    return { reply: await readReply(answer, { doing, id: message.id, budget }), sessionId };
  } finally {
    answer.giveUp();
  }
}

async function readRefusal(
  { doing, secrets }: McpWire,
  { headers }: PostedMessage,
  answer: McpHttpAnswer,
): Promise<PostedReply> {
  const { status } = answer;
  if (status === 404 && headers['mcp-session-id'] !== undefined) {
    throw new SessionLost({
      code: 'not_found',
      operation: doing,
      status,
      detail: 'the server lost the session',
    });
  }
  const text = await readWhole(answer, doing, { left: MAX_REFUSAL_BYTES }).catch(() => '');
  const [body] = parseMessages(text);
  // This one tells how to ask instead.
  if (body !== undefined && isOnlyStateless(body)) return { reply: body, sessionId: undefined };
  throw refusalToError({
    operation: doing,
    status,
    body: asText(body?.['error_description']) ?? body ?? text,
    retryAfter: answer.readHeader('retry-after'),
    nowMs: Date.now(),
    redactions: secrets,
  });
}

/** Visible ASCII, as the protocol has it: what is none must not stand in a header. */
function readSessionId(answer: McpHttpAnswer, doing: string): string | undefined {
  const id = answer.readHeader('mcp-session-id');
  if (id === null) return undefined;
  if (/^[\x21-\x7e]{1,1024}$/.test(id)) return id;
  throw new ServiceError({ code: 'unreadable', operation: doing, detail: 'the id of the session is none' });
}

/** How many bytes of answers a session still takes in. */
interface ByteBudget {
  left: number;
}

interface ReplyFacts {
  readonly doing: string;
  /** Of the request. */
  readonly id: number;
  readonly budget: ByteBudget;
}

/**
 * The reply to the request with this id, from a body of JSON or from an event stream, which may hold other messages before it and
 * need not end after it. Throws `ServiceError`: `connection` when the stream ends without it, `unreadable` for any other body.
 */
async function readReply(answer: McpHttpAnswer, facts: ReplyFacts): Promise<McpMessage> {
  const { doing, id, budget } = facts;
  const { status } = answer;
  const type = answer.readHeader('content-type');
  if (/^\s*text\/event-stream\b/i.test(type ?? '')) {
    const reply = await findInStream(answer, facts);
    if (reply !== undefined) return reply;
    throw new ServiceError({ code: 'connection', operation: doing, status, detail: 'the answer broke off' });
  }
  const text = await readWhole(answer, doing, budget);
  const reply = parseMessages(text).find((message) => isReply(message, id));
  if (reply !== undefined) return reply;
  const found = isWebPage(text, type) ? 'a web page' : 'not one of an MCP server';
  const detail = `the answer is ${found}: check the MCP Address in the credential`;
  throw new ServiceError({ code: 'unreadable', operation: doing, status, detail });
}

async function findInStream(
  answer: McpHttpAnswer,
  { doing, id, budget }: ReplyFacts,
): Promise<McpMessage | undefined> {
  const readEvents = createEventReader();
  for await (const text of readTexts(answer, doing, budget)) {
    const messages = readEvents(text).flatMap(parseMessages);
    const reply = messages.find((message) => isReply(message, id));
    if (reply !== undefined) return reply;
  }
  return undefined;
}

/** All of a body, as text. */
async function readWhole(answer: McpHttpAnswer, doing: string, budget: ByteBudget): Promise<string> {
  const texts: string[] = [];
  for await (const text of readTexts(answer, doing, budget)) texts.push(text);
  return texts.join('');
}

async function* readTexts(answer: McpHttpAnswer, doing: string, budget: ByteBudget): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of answer.pieces) {
    budget.left -= piece.length;
    if (budget.left < 0) {
      throw new ServiceError({ code: 'unreadable', operation: doing, detail: 'the answer is too large' });
    }
    yield decoder.decode(piece, { stream: true });
  }
  yield decoder.decode();
}

/**
 * Reads an event stream as its text comes: gives the data of each event that is complete (HTML standard, "Server-sent events").
 * Names, ids and comments are left out: all that the protocol says is in the data.
 */
export function createEventReader(): (text: string) => string[] {
  /** Of a line that is not over, in pieces: a long one must not be put together again with each. */
  let line: string[] = [];
  let data: string[] = [];
  /** A line may end with CR alone: the LF that may still follow is no line of its own. */
  let endedWithReturn = false;

  const takeLine = (whole: string): string[] => {
    if (whole === '') {
      const event = data.length === 0 ? [] : [data.join('\n')];
      data = [];
      return event;
    }
    const [, name, value = ''] = /^([^:]*):? ?(.*)$/s.exec(whole) ?? [];
    if (name === 'data') data.push(value);
    return [];
  };

  return (text) => {
    const lines = (endedWithReturn && text.startsWith('\n') ? text.slice(1) : text).split(/\r\n|\n|\r/);
    if (text !== '') endedWithReturn = text.endsWith('\r');
    const last = lines.pop() ?? '';
    const events = lines.flatMap((end) => {
      const whole = line.join('') + end;
      line = [];
      return takeLine(whole);
    });
    line.push(last);
    return events;
  };
}

/** A message of JSON-RPC 2.0, of which nothing else is sure. */
export type McpMessage = Readonly<Record<string, unknown>>;

/** A message, or the messages of a batch (revision 2025-03-26); what is none is left out. */
function parseMessages(text: string): McpMessage[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return [];
  }
  const list: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  return list.map(asFields).filter((message) => message !== undefined);
}

/**
 * Whether a message answers the request with this id. One with a `method` is the server's own, whatever its id. Of a request that it
 * could not read a server knows no id.
 */
function isReply(message: McpMessage, id: number): boolean {
  if ('method' in message || !('result' in message || 'error' in message)) return false;
  return message['id'] === id || (message['id'] === null && 'error' in message);
}

/** JSON-RPC's numbers for what went wrong; an unknown tool is one of the first. */
const errorCodes: ReadonlyMap<unknown, ServiceErrorCode> = new Map([
  [-32_602, 'bad_request'],
  [-32_601, 'not_found'],
  [-32_603, 'server'],
]);

/** The result of a reply. Throws `ServiceError` for one that is an error, in the server's words. */
export function takeResult(reply: McpMessage, doing: string, secrets: readonly string[]): McpMessage {
  const error = asFields(reply['error']);
  if (error !== undefined) {
    const detail = describeAnswer(error, secrets);
    const code = errorCodes.get(error['code']) ?? 'unreadable';
    throw new ServiceError({ code, operation: doing, ...(detail === undefined ? {} : { detail }) });
  }
  const result = asFields(reply['result']);
  if (result !== undefined && (result['resultType'] ?? 'complete') === 'complete') return result;
  const detail =
    result === undefined
      ? 'the reply holds no result'
      : 'the server asks back, which this node cannot answer';
  throw new ServiceError({ code: 'unreadable', operation: doing, detail });
}

/** The newest revision of the protocol that opens a session with `initialize`. */
export const SESSION_REVISION = '2025-11-25';

/** Those that an answer to `initialize` may name: what differs between them does not touch lists and calls of tools. */
export const sessionRevisions: ReadonlySet<string> = new Set([
  SESSION_REVISION,
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
]);

/** The revision without sessions: every request says for itself what others agree on at the beginning. */
export const STATELESS_REVISION = '2026-07-28';

export const CLIENT_INFO = { name: 'n8n-nodes-aftermeet', version: '0.1.0' } as const;

/** The error of a server that does not speak the revision it was asked for; it names those it does. */
const UNSUPPORTED_REVISION = -32_022;

/** Whether the reply to `initialize` says that the server knows only requests without a session. */
export function isOnlyStateless(reply: McpMessage): boolean {
  const error = asFields(reply['error']) ?? {};
  const supported = asList((asFields(error['data']) ?? {})['supported']);
  return error['code'] === UNSUPPORTED_REVISION && supported.includes(STATELESS_REVISION);
}
