import { type OperationName, ServiceError } from '../errors.ts';
import { asList, asText, type Fields } from '../loose.ts';
import { unreadable } from '../service-fault.ts';
import type { McpReply } from './message.ts';
import { type Agreement, SESSION_REVISION, sessionRevisions, STATELESS_REVISION } from './revision.ts';
import { type McpRequest, type McpWire, notify, readResult, sendRpc } from './send.ts';

interface McpCall extends McpRequest {
  /** What a fault of the request itself means; the opening of a session before it sends nothing of the call. */
  readonly explain?: ((fault: ServiceError) => ServiceError) | undefined;
}

export interface McpSession {
  /** The result of a request. Throws `ServiceError`. */
  readonly request: (call: McpCall) => Promise<Fields>;
}

/**
 * Speaks MCP (Streamable HTTP) with one server. What was agreed on at the first request is kept for the later ones:
 * requests at the same time share one opening, and what the server has forgotten is agreed on again, once for a request.
 */
export function createMcpSession(facts: Omit<McpWire, 'nextId'>): McpSession {
  let lastId = 0;
  const wire: McpWire = { ...facts, nextId: () => (lastId += 1) };
  const keeper = keepAgreement(wire);

  const send = async (agreement: Agreement, call: McpCall): Promise<McpReply> => {
    try {
      return await sendRpc(wire, agreement, call);
    } catch (error) {
      throw error instanceof ServiceError ? explain(error, call) : error;
    }
  };

  return {
    async request(call) {
      const agreement = await keeper.take(call);
      let said = await send(agreement, call);
      if (isForgotten(agreement, said)) {
        keeper.drop(agreement);
        said = await send(await keeper.take(call), call);
      }
      const answer = readResult(said, call.operation, wire.redactions);
      if (answer.ok) return answer.result;
      throw explain(answer.fault, call);
    },
  };
}

function explain(fault: ServiceError, call: McpCall): ServiceError {
  return call.explain?.(fault) ?? fault;
}

/** The error of a server that does not speak the revision it was asked in. */
const UNSUPPORTED_REVISION = -32_022;

/**
 * Whether the request was refused because the server knows nothing of the agreement any more: it did nothing. A lost
 * session is 404; many servers answer 400 and say `No valid session ID` or `Server not initialized`.
 */
function isForgotten(agreement: Agreement, said: McpReply): boolean {
  if (said.ok) return false;
  const { fault, rpcError } = said;
  if (rpcError['code'] === UNSUPPORTED_REVISION) return true;
  if (agreement.kind !== 'session' || agreement.sessionId === undefined) return false;
  return fault.status === 404 || (fault.status === 400 && /session|initialized/i.test(fault.detail ?? ''));
}

interface AgreementKeeper {
  /** The agreement there is, or a new one. Throws `ServiceError`. */
  readonly take: (request: McpRequest) => Promise<Agreement>;
  readonly drop: (agreement: Agreement) => void;
}

interface Opening {
  readonly agreement: Promise<Agreement>;
  /** Ends it: no caller waits for it any more. */
  readonly stop: AbortController;
  waiting: number;
  settled: Agreement | undefined;
}

function keepAgreement(wire: McpWire): AgreementKeeper {
  let current: Opening | undefined;

  const open = (request: McpRequest): Opening => {
    const stop = new AbortController();
    const opening: Opening = {
      stop,
      waiting: 0,
      settled: undefined,
      agreement: agree(wire, request, stop.signal),
    };
    opening.agreement.then(
      (agreement) => (opening.settled = agreement),
      () => forget(opening),
    );
    return opening;
  };
  const forget = (opening: Opening): void => {
    if (current === opening) current = undefined;
  };

  return {
    async take({ operation, signal, ...request }) {
      if (signal?.aborted === true) throw new ServiceError({ code: 'aborted', operation, unsent: true });
      const opening = (current ??= open({ operation, signal, ...request }));
      opening.waiting += 1;
      try {
        return await untilAborted(opening.agreement, signal, operation);
      } catch (error) {
        // Another call may have begun it.
        throw error instanceof ServiceError ? error.with({ operation }) : error;
      } finally {
        opening.waiting -= 1;
        if (opening.waiting === 0 && opening.settled === undefined) {
          forget(opening);
          opening.stop.abort();
        }
      }
    },
    drop(agreement) {
      // Another call may have opened a new one already.
      if (current?.settled === agreement) current = undefined;
    },
  };
}

/** The caller's signal may live long: no listener stays at it. */
async function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  operation: OperationName,
): Promise<T> {
  if (signal === undefined) return await work;
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(new ServiceError({ code: 'aborted', operation }));
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
  }
}

/**
 * Agrees on a revision (specification, "Versioning"): asks in the one without sessions, and opens a session where the
 * server does not know it. Throws `ServiceError`.
 */
async function agree(
  wire: McpWire,
  { operation, timeoutMs }: McpRequest,
  signal: AbortSignal,
): Promise<Agreement> {
  const facts = { operation, timeoutMs, signal };
  if (await isStateless(wire, facts)) return { kind: 'stateless' };
  const params = { protocolVersion: SESSION_REVISION, capabilities: {}, clientInfo: wire.clientInfo };
  const unopened: Agreement = { kind: 'session', revision: undefined, sessionId: undefined };
  const said = await sendRpc(wire, unopened, { ...facts, method: 'initialize', params });
  const answer = readResult(said, operation, wire.redactions);
  if (!answer.ok) throw answer.fault;
  const revision = asText(answer.result['protocolVersion']);
  if (revision === undefined || !sessionRevisions.has(revision)) {
    throw unreadable(operation, 'the server speaks a revision of MCP that is not known here');
  }
  const agreement: Agreement = { kind: 'session', revision, sessionId: readSessionId(said, operation) };
  await notify(wire, agreement, { ...facts, method: 'notifications/initialized', params: {} });
  return agreement;
}

interface AgreeFacts {
  readonly operation: OperationName;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Whether the server speaks the revision without sessions. Older servers refuse the question, each in its own way. */
async function isStateless(wire: McpWire, facts: AgreeFacts): Promise<boolean> {
  try {
    const request = { ...facts, method: 'server/discover', params: {} };
    const said = await sendRpc(wire, { kind: 'stateless' }, request);
    if (!said.ok && isFinal(said.fault)) throw said.fault;
    const answer = readResult(said, facts.operation, wire.redactions);
    return answer.ok && asList(answer.result['supportedVersions']).includes(STATELESS_REVISION);
  } catch (error) {
    if (error instanceof ServiceError && !isFinal(error)) return false;
    throw error;
  }
}

/** What `initialize` would be answered too: there was no answer, or one that is about the key, the load or the address. */
const finalStatuses: ReadonlySet<number> = new Set([401, 402, 403, 408, 429]);

function isFinal({ status }: ServiceError): boolean {
  return (
    status === undefined ||
    finalStatuses.has(status) ||
    // 501 and 505 are said of a method or a version that is not known.
    (status >= 500 && status !== 501 && status !== 505) ||
    (status >= 300 && status < 400)
  );
}

/** Visible ASCII, as the protocol has it: what is none must not stand in a header. */
function readSessionId(said: McpReply, operation: OperationName): string | undefined {
  const sessionId = said.ok ? said.sessionId : null;
  if (sessionId === null) return undefined;
  if (/^[\x21-\x7e]{1,1024}$/.test(sessionId)) return sessionId;
  throw unreadable(operation, 'the id of the session is none');
}
