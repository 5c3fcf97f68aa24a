import {
  asFields,
  asList,
  asText,
  toServiceError,
  isOutcomeUnknown,
  ServiceError,
} from '@aftermeet/client/pure';

import { type ServiceContext } from '../transport/raw-request.ts';
import { readCredential, repeatAttempt, type RepeatOptions } from '../transport/request.ts';
import {
  exchangeWithN8n,
  CLIENT_INFO,
  isOnlyStateless,
  type McpMessage,
  type McpWire,
  postMessage,
  SESSION_REVISION,
  SessionLost,
  STATELESS_REVISION,
  sessionRevisions,
  takeResult,
} from './exchange.ts';

interface McpSession {
  /** Tells the server that the session is taken; before the first request. Throws `ServiceError`. */
  readonly confirm: () => Promise<void>;
  /** The result of a request. Throws `ServiceError`. */
  readonly request: (method: string, params: McpMessage) => Promise<McpMessage>;
  /** Ends what the server keeps; never throws. */
  readonly close: () => Promise<void>;
}

/**
 * Opens a session (specification of MCP, "Lifecycle" and "Streamable HTTP"). A server that knows only the revision without sessions
 * refuses `initialize` and says so: it gets requests that stand for themselves.
 */
async function openSession(wire: McpWire): Promise<McpSession> {
  const params = { protocolVersion: SESSION_REVISION, capabilities: {}, clientInfo: CLIENT_INFO };
  const { reply = {}, sessionId } = await postMessage(wire, {
    message: { jsonrpc: '2.0', id: 1, method: 'initialize', params },
    headers: {},
  });
  if (isOnlyStateless(reply)) return createStatelessSession(wire);
  const revision = asText(takeResult(reply, wire.doing, wire.secrets)['protocolVersion']);
  if (revision === undefined || !sessionRevisions.has(revision)) {
    const detail = 'the server speaks a revision of MCP that this node does not know';
    throw new ServiceError({ code: 'unreadable', operation: wire.doing, detail });
  }
  const headers = {
    'mcp-protocol-version': revision,
    ...(sessionId === undefined ? {} : { 'mcp-session-id': sessionId }),
  };
  const close = async (): Promise<void> => {
    if (sessionId !== undefined) await sayGoodbye(wire, headers);
  };
  const confirm = async (): Promise<void> => {
    await postMessage(wire, { message: { jsonrpc: '2.0', method: 'notifications/initialized' }, headers });
  };
  const request = createRequest(wire, (method, asked) => ({ headers, message: { method, params: asked } }));
  return { confirm, request, close };
}

function createStatelessSession(wire: McpWire): McpSession {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': STATELESS_REVISION,
    'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const request = createRequest(wire, (method, params) => {
    const name = asText(params['name']);
    return {
      message: { method, params: { ...params, _meta: meta } },
      headers: {
        'mcp-protocol-version': STATELESS_REVISION,
        'mcp-method': method,
        ...(name === undefined ? {} : { 'mcp-name': writeHeader(name) }),
      },
    };
  });
  return { confirm: async () => {}, request, close: async () => {} };
}

/** What a header cannot hold is sent as Base64 between marks. */
function writeHeader(text: string): string {
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')
    ? text
    : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}

interface Prepared {
  readonly message: McpMessage;
  readonly headers: Readonly<Record<string, string>>;
}

function createRequest(
  wire: McpWire,
  prepare: (method: string, params: McpMessage) => Prepared,
): McpSession['request'] {
  let lastId = 1;
  return async (method, params) => {
    lastId += 1;
    const { message, headers } = prepare(method, params);
    const { reply = {} } = await postMessage(wire, {
      message: { jsonrpc: '2.0', id: lastId, ...message },
      headers,
    });
    return takeResult(reply, wire.doing, wire.secrets);
  };
}

/** A server may keep its sessions to itself (405), and one that does not answer is left standing. */
async function sayGoodbye({ exchange }: McpWire, headers: Readonly<Record<string, string>>): Promise<void> {
  try {
    const answer = await exchange({ method: 'DELETE', headers });
    answer.giveUp();
  } catch {
    // The work is done; that the server keeps its session until it forgets it changes nothing of that.
  }
}

/** Opens a session, does the work and ends it; once more from the beginning when the server lost the session in between. */
export async function withSession<T>(wire: McpWire, work: (session: McpSession) => Promise<T>): Promise<T> {
  try {
    return await workOnce(wire, work);
  } catch (error) {
    if (error instanceof SessionLost) return await workOnce(wire, work);
    throw toServiceError(error, { operation: wire.doing });
  }
}

async function workOnce<T>(wire: McpWire, work: (session: McpSession) => Promise<T>): Promise<T> {
  const session = await openSession(wire);
  try {
    await session.confirm();
    return await work(session);
  } finally {
    await session.close();
  }
}

/** As in the client. */
const TIMEOUT_MS = 30_000;

/** Of the answers of one session: what tools say is made to be read by a model. */
const MAX_SESSION_BYTES = 32 * 1024 * 1024;

const listing = 'mcp.listTools: MCP tools/list';

/** What stands in the errors of a call. */
export const calling = 'mcp.callTool: MCP tools/call';

/** The tools of the endpoint in the credential. Throws `ServiceError`. */
export async function listMcpTools(
  context: ServiceContext,
  repeating?: RepeatOptions,
): Promise<readonly McpTool[]> {
  const connect = await openWire(context, listing, TIMEOUT_MS);
  const attempt = () => withSession(connect(), (session) => listTools(session, listing));
  return await repeatAttempt(context, attempt, repeating);
}

interface McpCall {
  readonly name: string;
  readonly input: McpMessage;
  /** For each request, the call among them. */
  readonly timeoutMs?: number;
}

/** Calls a tool. Throws `ServiceError`: `ambiguous` when it is unknown whether the tool ran. */
export async function callMcpTool(
  context: ServiceContext,
  { name, input, timeoutMs = TIMEOUT_MS }: McpCall,
): Promise<McpToolResult> {
  if (name.trim() === '' || /\p{Cc}/u.test(name)) {
    const detail = 'the tool must be named: text that is not empty, without control characters';
    throw new ServiceError({ code: 'bad_request', operation: calling, detail, unsent: true });
  }
  const connect = await openWire(context, calling, timeoutMs);
  return await repeatAttempt(context, () => callTool(connect(), name, input));
}

async function openWire(context: ServiceContext, doing: string, timeoutMs: number): Promise<() => McpWire> {
  const { mcpUrl, apiKey } = await readCredential(context);
  if (mcpUrl === undefined) {
    const detail = 'the credential has no MCP Address: give it there';
    throw new ServiceError({ code: 'bad_request', operation: doing, detail, unsent: true });
  }
  const exchange = exchangeWithN8n(context, { mcpUrl, doing, timeoutMs });
  return () => ({ exchange, doing, secrets: [apiKey], budget: { left: MAX_SESSION_BYTES } });
}

export interface McpToolResult {
  readonly isError: boolean;
  /** The text parts, with an empty line in between. */
  readonly text: string;
  readonly structured: unknown;
  /** Every part, also those that are no text. */
  readonly content: readonly unknown[];
}

/**
 * Calls a tool once. What a tool does is unknown, so a call whose fate is unknown is `ambiguous` and not `retryable`; faults before
 * it was sent, and refusals, are what they always are. A session that was lost (404) took no call: it is sent in a new one.
 */
export async function callTool(wire: McpWire, name: string, input: McpMessage): Promise<McpToolResult> {
  return await withSession(wire, async (session) => readResult(await callOnce(session, name, input)));
}

async function callOnce(session: McpSession, name: string, input: McpMessage): Promise<McpMessage> {
  try {
    return await session.request('tools/call', { name, arguments: input });
  } catch (error) {
    throw doubtCall(error);
  }
}

function doubtCall(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.unsent) return error;
  const isDoubtful = error.code !== 'aborted' && isOutcomeUnknown(error);
  if (error.code !== 'aborted' && !isDoubtful) return error;
  return error.with({
    code: isDoubtful ? 'ambiguous' : error.code,
    mayHaveTakenEffect: true,
    retryable: false,
  });
}

function readResult(raw: McpMessage): McpToolResult {
  const content = asList(raw['content']);
  return {
    isError: raw['isError'] === true,
    text: content.flatMap(readText).join('\n\n'),
    structured: raw['structuredContent'],
    content,
  };
}

function readText(part: unknown): string[] {
  const fields = asFields(part) ?? {};
  const text = fields['type'] === 'text' ? asText(fields['text']) : undefined;
  return text === undefined ? [] : [text];
}

export interface McpTool {
  readonly name: string;
  readonly description: string | undefined;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** Each page holds dozens of tools: a list that goes on after this does not end. */
const MAX_PAGES = 100;

/** All pages of the tool list; ends at a page without a cursor and at a cursor that was there before. A tool without a name is left out. */
export async function listTools(session: McpSession, doing: string): Promise<readonly McpTool[]> {
  const tools = new Map<string, McpTool>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const result = await session.request('tools/list', cursor === undefined ? {} : { cursor });
    for (const tool of asList(result['tools']).flatMap(readTool)) tools.set(tool.name, tool);
    cursor = asText(result['nextCursor']);
    if (cursor === undefined || cursors.has(cursor)) return [...tools.values()];
    cursors.add(cursor);
  }
  const detail = `the list of tools did not end within ${MAX_PAGES} pages`;
  throw new ServiceError({ code: 'unreadable', operation: doing, detail });
}

function readTool(raw: unknown): McpTool[] {
  const fields = asFields(raw) ?? {};
  const name = asText(fields['name']);
  if (name === undefined || name === '') return [];
  const inputSchema = asFields(fields['inputSchema']) ?? {};
  return [{ name, description: asText(fields['description']), inputSchema }];
}
