import { type OperationName, ServiceError, type ServiceErrorCode } from '../errors.ts';
import { asFields, asText, type Fields } from '../loose.ts';
import { describeAnswer, unreadable } from '../service-fault.ts';
import { type McpAnswer, type McpExchange, type McpReply, readReply } from './message.ts';
import { type Agreement, type McpClientInfo, prepareRequest } from './revision.ts';

/** What every message of one client needs. */
export interface McpWire {
  readonly exchange: McpExchange;
  readonly clientInfo: McpClientInfo;
  readonly clock: () => number;
  /** What no error may repeat. */
  readonly redactions: readonly string[];
  /** An id that no other request of this client has. */
  readonly nextId: () => number;
}

export interface McpRequest {
  readonly operation: OperationName;
  readonly method: string;
  readonly params: Fields;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Asks for progress, which also restarts the time of the request. */
  readonly onProgress?: ((progress: Fields) => void) | undefined;
}

/** Sends a request and reads the reply. Throws `ServiceError` if there is none. */
export async function sendRpc(wire: McpWire, agreement: Agreement, request: McpRequest): Promise<McpReply> {
  const { clock, redactions } = wire;
  const { operation, onProgress } = request;
  const id = wire.nextId();
  try {
    const params =
      onProgress === undefined ? request.params : { ...request.params, _meta: { progressToken: id } };
    const answer = await post(wire, agreement, { ...request, params, id });
    const onMessage = (message: Fields): void => {
      const progress = readProgress(message, id);
      if (progress === undefined) return;
      answer.restart();
      onProgress?.(progress);
    };
    try {
      return await readReply(answer, { operation, id, onMessage, nowMs: clock(), redactions });
    } finally {
      answer.close();
    }
  } catch (error) {
    // What is sent now must not delay the end of the call, and changes nothing of it.
    if (isGivenUp(error)) cancelRpc(wire, agreement, request, id).catch(() => {});
    throw error;
  }
}

/** Tells the server something. What it answers does not matter: a refusal shows at the next request again. */
export async function notify(
  wire: McpWire,
  agreement: Agreement,
  notification: Omit<McpRequest, 'onProgress'>,
): Promise<void> {
  const answer = await post(wire, agreement, notification);
  answer.close();
}

/** How long a server may take to hear that no answer is wanted any more. */
const CANCEL_WITHIN_MS = 1000;

/** A server with sessions goes on when a connection ends, unless it is told; for others that end says it. */
async function cancelRpc(
  wire: McpWire,
  agreement: Agreement,
  { operation, method }: McpRequest,
  requestId: number,
): Promise<void> {
  if (agreement.kind !== 'session' || method !== 'tools/call') return;
  await notify(wire, agreement, {
    operation,
    method: 'notifications/cancelled',
    params: { requestId },
    timeoutMs: CANCEL_WITHIN_MS,
    signal: undefined,
  });
}

function isGivenUp(error: unknown): boolean {
  return (
    error instanceof ServiceError && !error.unsent && (error.code === 'aborted' || error.code === 'timeout')
  );
}

function post(
  { exchange, clientInfo }: McpWire,
  agreement: Agreement,
  { operation, method, params: asked, timeoutMs, signal, id }: McpRequest & { readonly id?: number },
): Promise<McpAnswer> {
  const { headers, params } = prepareRequest(agreement, { method, params: asked, clientInfo });
  return exchange({
    headers: {
      ...headers,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
    operation,
    timeoutMs,
    signal,
  });
}

/** Servers write the token as they got it, or as text. */
function readProgress({ method, params }: Fields, id: number): Fields | undefined {
  const progress = method === 'notifications/progress' ? asFields(params) : undefined;
  return progress !== undefined && asText(progress['progressToken']) === String(id) ? progress : undefined;
}

/** JSON-RPC's numbers for what the caller did wrong; an unknown tool is one of the first. */
const codeByRpc: ReadonlyMap<unknown, ServiceErrorCode> = new Map([
  [-32_602, 'bad_request'],
  [-32_601, 'not_found'],
  [-32_603, 'server'],
]);

export type McpResult =
  | { readonly ok: true; readonly result: Fields }
  | { readonly ok: false; readonly fault: ServiceError };

/** The result in a reply; a fault in the server's words for one that is an error. */
export function readResult(
  said: McpReply,
  operation: OperationName,
  redactions: readonly string[],
): McpResult {
  if (!said.ok) return said;
  const { error, result: found } = said.reply;
  const result = asFields(found);
  if (error !== undefined && error !== null) {
    const code = codeByRpc.get(asFields(error)?.['code']) ?? 'unreadable';
    const detail = describeAnswer({ error }, redactions) ?? 'the server reports an error without a word';
    return { ok: false, fault: new ServiceError({ code, operation, detail }) };
  }
  if (result !== undefined && (result['resultType'] ?? 'complete') === 'complete')
    return { ok: true, result };
  const detail =
    result === undefined
      ? 'the reply holds no result'
      : 'the server asks back, which cannot be answered here';
  return { ok: false, fault: unreadable(operation, detail) };
}
