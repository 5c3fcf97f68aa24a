import { asFields, asList } from '@aftermeet/client/pure';

import type { McpMessage } from './mcp-message.ts';

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
