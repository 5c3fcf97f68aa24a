import { isWebPage, parseAnswer } from '../answers.ts';
import { type OperationName, ServiceError } from '../errors.ts';
import { asFields, asText, type Fields } from '../loose.ts';
import { refusalToError, unreadable } from '../service-fault.ts';
import { createEventReader } from './event-stream.ts';

/** One message to the MCP endpoint; the exchange adds the key. */
interface McpPost {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly operation: OperationName;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** The answer, read piece by piece: an event stream need not end. */
export interface McpAnswer {
  readonly status: number;
  readonly readHeader: (name: string) => string | null;
  /** Throws `ServiceError`: `timeout` when the time of the request is up. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** The time of the request begins again. */
  readonly restart: () => void;
  /** Gives up what was not read. Never throws. */
  readonly close: () => void;
}

/** Sends one message and adds the key. Throws `ServiceError` if there is no answer, and for a redirect. */
export type McpExchange = (post: McpPost) => Promise<McpAnswer>;

export interface ReplyFacts {
  readonly operation: OperationName;
  /** Of the request. */
  readonly id: number;
  /** Of each message that arrives before the reply. */
  readonly onMessage: (message: Fields) => void;
  readonly nowMs: number;
  /** What no error may repeat. */
  readonly redactions: readonly string[];
}

/** What the server said: a reply of JSON-RPC, or a refusal by status, with the error of JSON-RPC if it holds one. */
export type McpReply =
  | { readonly ok: true; readonly reply: Fields; readonly sessionId: string | null }
  | { readonly ok: false; readonly fault: ServiceError; readonly rpcError: Fields };

/** What tools say is far smaller. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024;
/** Enough for a description of an error. */
const MAX_REFUSAL_BYTES = 64 * 1024;

/**
 * Reads the answer to a message. Throws `ServiceError`: `connection` when the stream ends without the reply,
 * `unreadable` for any other body without it and for a body over the cap.
 */
export async function readReply(answer: McpAnswer, facts: ReplyFacts): Promise<McpReply> {
  const { operation } = facts;
  if (answer.status < 200 || answer.status >= 300) return await readRefusal(answer, facts);
  const type = answer.readHeader('content-type');
  const isStream = /^\s*text\/event-stream\b/i.test(type ?? '');
  const reply = isStream ? await findInStream(answer, facts) : await findInBody(answer, facts);
  if (reply !== undefined) return { ok: true, reply, sessionId: answer.readHeader('mcp-session-id') };
  const detail = 'the stream ended without the answer';
  throw new ServiceError({ code: 'connection', operation, detail });
}

async function readRefusal(answer: McpAnswer, facts: ReplyFacts): Promise<McpReply> {
  const { operation, nowMs, redactions } = facts;
  // A body that cannot be read must not hide the status.
  const text = await readWhole(answer, operation, MAX_REFUSAL_BYTES).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'aborted') throw error;
    return '';
  });
  const parsed = parseAnswer(text, new Headers());
  const [message = {}] = parseMessages(text);
  const fault = refusalToError({
    operation,
    status: answer.status,
    // Servers that check the token by OAuth describe the error there.
    body: asText(message['error_description']) ?? parsed,
    retryAfter: answer.readHeader('retry-after'),
    nowMs,
    redactions,
  });
  return { ok: false, fault, rpcError: asFields(message['error']) ?? {} };
}

async function findInBody(answer: McpAnswer, { operation, id, onMessage }: ReplyFacts): Promise<Fields> {
  const text = await readWhole(answer, operation, MAX_REPLY_BYTES);
  const reply = takeReply(parseMessages(text), id, onMessage);
  if (reply !== undefined) return reply;
  const found = isWebPage(text, answer.readHeader('content-type'))
    ? 'a web page'
    : 'not one of an MCP server';
  throw unreadable(operation, `the answer is ${found}: check the MCP address`, answer.status);
}

async function findInStream(
  answer: McpAnswer,
  { operation, id, onMessage }: ReplyFacts,
): Promise<Fields | undefined> {
  const readEvents = createEventReader();
  for await (const text of readTexts(answer, operation, MAX_REPLY_BYTES)) {
    const reply = takeReply(readEvents(text).flatMap(parseMessages), id, onMessage);
    if (reply !== undefined) return reply;
  }
  return undefined;
}

function takeReply(
  messages: readonly Fields[],
  id: number,
  onMessage: (message: Fields) => void,
): Fields | undefined {
  for (const message of messages) {
    if (isReply(message, id)) return message;
    onMessage(message);
  }
  return undefined;
}

async function readWhole(answer: McpAnswer, operation: OperationName, maxBytes: number): Promise<string> {
  const texts: string[] = [];
  for await (const text of readTexts(answer, operation, maxBytes)) texts.push(text);
  return texts.join('');
}

async function* readTexts(
  { pieces }: McpAnswer,
  operation: OperationName,
  maxBytes: number,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > maxBytes) throw unreadable(operation, 'the answer is too large');
    yield decoder.decode(piece, { stream: true });
  }
  yield decoder.decode();
}

/** A message, or the messages of a batch (revision 2025-03-26); what is none is left out. */
function parseMessages(text: string): readonly Fields[] {
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
 * Whether a message answers the request with this id. One with a `method` is the server's own, whatever its id. A
 * server that could not read a request knows no id of it.
 */
function isReply(message: Fields, id: number): boolean {
  if ('method' in message || !('result' in message || 'error' in message)) return false;
  return message['id'] === id || ('error' in message && (message['id'] ?? null) === null);
}
