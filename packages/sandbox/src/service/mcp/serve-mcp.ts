import { requireBearerAuth } from '@modelcontextprotocol/express';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer, OAuthError, OAuthErrorCode } from '@modelcontextprotocol/server';
import express from 'express';

import type { Account } from '../account/account.ts';
import { planRequired, wrongKey } from '../account/refuse-call.ts';
import type { SandboxWorld } from '../sandbox-world.ts';
import type { McpRouter } from './create-mcp-router.ts';
import { addReportTools } from './report-tools.ts';
import { addSearchTool } from './search-tool.ts';

const serverInfo = { name: 'aftermeet-sandbox', title: 'Sandbox of the meeting service', version: '0.1.0' };

/** Serves old and new revisions of the protocol; the key of the API is the bearer token. */
export function serveMcp(world: SandboxWorld): McpRouter {
  const handler = createMcpHandler(() => {
    const server = new McpServer(serverInfo);
    addSearchTool(server, world);
    addReportTools(server, world);
    return server;
  });
  const answer = toNodeHandler(handler);
  const router = express.Router();
  router.use(
    requireBearerAuth({ verifier: { verifyAccessToken: (token) => readToken(token, world.account) } }),
  );
  router.all('/', async (request, response) => {
    await answer(request, response);
  });
  return { router, close: handler.close };
}

async function readToken(token: string, account: Account) {
  if (account.judgeKey(token) !== 'right') {
    throw new OAuthError(OAuthErrorCode.InvalidToken, wrongKey);
  }
  if (account.plan().name === 'none') throw new OAuthError(OAuthErrorCode.InsufficientScope, planRequired);
  // When the key ends is judged above, and the SDK refuses a token that has no end.
  return { token, clientId: 'api-key', scopes: [], expiresAt: Number.MAX_SAFE_INTEGER };
}
