import { asText, explainAnswer, ServiceError } from '@aftermeet/client/pure';

import type { McpExchange, McpHttpAnswer } from './exchange.ts';
import { type McpMessage, parseMessages } from './mcp-message.ts';
import { type ByteBudget, readReply, readWhole } from './read-reply.ts';
import { isOnlyStateless } from './revisions.ts';

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

export interface PostedMessage {
  readonly message: McpMessage & { readonly id?: number };
  /** Those of the session. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface PostedReply {
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
    throw new SessionLost({ code: 'not_found', doing, status, detail: 'the server lost the session' });
  }
  const text = await readWhole(answer, doing, { left: MAX_REFUSAL_BYTES }).catch(() => '');
  const [body] = parseMessages(text);
  // This one tells how to ask instead.
  if (body !== undefined && isOnlyStateless(body)) return { reply: body, sessionId: undefined };
  throw explainAnswer({
    doing,
    status,
    body: asText(body?.['error_description']) ?? body ?? text,
    retryAfter: answer.readHeader('retry-after'),
    nowMs: Date.now(),
    secrets,
  });
}

/** Visible ASCII, as the protocol has it: what is none must not stand in a header. */
function readSessionId(answer: McpHttpAnswer, doing: string): string | undefined {
  const id = answer.readHeader('mcp-session-id');
  if (id === null) return undefined;
  if (/^[\x21-\x7e]{1,1024}$/.test(id)) return id;
  throw new ServiceError({ code: 'unreadable', doing, detail: 'the id of the session is none' });
}
