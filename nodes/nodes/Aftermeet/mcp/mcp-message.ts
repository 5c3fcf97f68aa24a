import { asFields, describeAnswer, ServiceError, type ServiceErrorCode } from '@aftermeet/client/pure';

/** A message of JSON-RPC 2.0, of which nothing else is sure. */
export type McpMessage = Readonly<Record<string, unknown>>;

/** A message, or the messages of a batch (revision 2025-03-26); what is none is left out. */
export function parseMessages(text: string): McpMessage[] {
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
export function isReply(message: McpMessage, id: number): boolean {
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
    throw new ServiceError({ code, doing, ...(detail === undefined ? {} : { detail }) });
  }
  const result = asFields(reply['result']);
  if (result !== undefined && (result['resultType'] ?? 'complete') === 'complete') return result;
  const detail =
    result === undefined
      ? 'the reply holds no result'
      : 'the server asks back, which this node cannot answer';
  throw new ServiceError({ code: 'unreadable', doing, detail });
}
