import { isWebPage, ServiceError } from '@aftermeet/client/pure';

import { createEventReader } from './event-stream.ts';
import type { McpHttpAnswer } from './exchange.ts';
import { isReply, type McpMessage, parseMessages } from './mcp-message.ts';

/** How many bytes of answers a session still takes in. */
export interface ByteBudget {
  left: number;
}

export interface ReplyFacts {
  readonly doing: string;
  /** Of the request. */
  readonly id: number;
  readonly budget: ByteBudget;
}

/**
 * The reply to the request with this id, from a body of JSON or from an event stream, which may hold other messages before it and
 * need not end after it. Throws `ServiceError`: `connection` when the stream ends without it, `unreadable` for any other body.
 */
export async function readReply(answer: McpHttpAnswer, facts: ReplyFacts): Promise<McpMessage> {
  const { doing, id, budget } = facts;
  const { status } = answer;
  const type = answer.readHeader('content-type');
  if (/^\s*text\/event-stream\b/i.test(type ?? '')) {
    const reply = await findInStream(answer, facts);
    if (reply !== undefined) return reply;
    throw new ServiceError({ code: 'connection', doing, status, detail: 'the answer broke off' });
  }
  const text = await readWhole(answer, doing, budget);
  const reply = parseMessages(text).find((message) => isReply(message, id));
  if (reply !== undefined) return reply;
  const found = isWebPage(text, type) ? 'a web page' : 'not one of an MCP server';
  const detail = `the answer is ${found}: check the MCP Address in the credential`;
  throw new ServiceError({ code: 'unreadable', doing, status, detail });
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
export async function readWhole(answer: McpHttpAnswer, doing: string, budget: ByteBudget): Promise<string> {
  const texts: string[] = [];
  for await (const text of readTexts(answer, doing, budget)) texts.push(text);
  return texts.join('');
}

async function* readTexts(answer: McpHttpAnswer, doing: string, budget: ByteBudget): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of answer.pieces) {
    budget.left -= piece.length;
    if (budget.left < 0) {
      throw new ServiceError({ code: 'unreadable', doing, detail: 'the answer is too large' });
    }
    yield decoder.decode(piece, { stream: true });
  }
  yield decoder.decode();
}
