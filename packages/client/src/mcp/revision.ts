import { asFields, asText, type Fields } from '../loose.ts';

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

export interface McpClientInfo {
  readonly name: string;
  readonly version: string;
}

/** What was agreed on with the server. */
export type Agreement =
  | { readonly kind: 'stateless' }
  | {
      readonly kind: 'session';
      /** Undefined for the request that opens it. */
      readonly revision: string | undefined;
      readonly sessionId: string | undefined;
    };

/** A request as the agreement has it. */
export interface PreparedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly params: Fields;
}

export function prepareRequest(
  agreement: Agreement,
  { method, params, clientInfo }: { method: string; params: Fields; clientInfo: McpClientInfo },
): PreparedRequest {
  if (agreement.kind === 'session') {
    const headers: Record<string, string> = {};
    if (agreement.revision !== undefined) headers['mcp-protocol-version'] = agreement.revision;
    if (agreement.sessionId !== undefined) headers['mcp-session-id'] = agreement.sessionId;
    return { params, headers };
  }
  const name = asText(params['name']);
  const headers = { 'mcp-protocol-version': STATELESS_REVISION, 'mcp-method': method };
  const meta = {
    ...asFields(params['_meta']),
    'io.modelcontextprotocol/protocolVersion': STATELESS_REVISION,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    params: { ...params, _meta: meta },
    headers: name === undefined ? headers : { ...headers, 'mcp-name': writeHeader(name) },
  };
}

/** What a header cannot hold is sent as Base64 between marks. */
function writeHeader(text: string): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')) return text;
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCodePoint(byte));
  return `=?base64?${btoa(bytes.join(''))}?=`;
}
