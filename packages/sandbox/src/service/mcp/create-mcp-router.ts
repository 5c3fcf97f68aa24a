import express, { type Router } from 'express';

import { guardHost } from '../../web/guard-local.ts';

export interface McpRouter {
  readonly router: Router;
  /** Ends what is under way. */
  readonly close: () => Promise<void>;
}

/**
 * The MCP endpoint (Streamable HTTP, stateless), behind the host guard: a web page must not reach it by DNS
 * rebinding. `load` brings what serves it, with the first request: the SDK takes longer to load than all the rest
 * to start. When it cannot be loaded, that request fails and the next one tries again.
 */
export function createMcpRouter(allowedHosts: readonly string[], load: () => Promise<McpRouter>): McpRouter {
  let serving: Promise<McpRouter> | undefined;
  async function open(): Promise<McpRouter> {
    const opening = (serving ??= load());
    try {
      return await opening;
    } catch (error) {
      if (serving === opening) serving = undefined;
      throw error;
    }
  }
  const router = express.Router();
  router.use(guardHost(allowedHosts), async (request, response, next) => {
    (await open()).router(request, response, next);
  });
  return {
    router,
    async close() {
      // Who waits for what cannot be loaded is told so; here it only means that nothing is under way.
      await (await serving?.catch(() => {}))?.close();
    },
  };
}
