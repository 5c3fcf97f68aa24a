import { z } from 'zod';

import { httpUrl } from './http-url.ts';

/** The variables of the service, apart from the others so that a command that only calls it loads no more. */
export const serviceVariables = {
  SERVICE_BASE_URL: httpUrl.optional(),
  /** Without `/mcp`; where it is not set, the base address. */
  SERVICE_MCP_URL: httpUrl.optional(),
  SERVICE_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, { error: 'a key of printable characters without spaces' })
    .optional(),
};
