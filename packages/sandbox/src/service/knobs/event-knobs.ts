import { z } from 'zod';

import { mcpTools } from './mcp-tools.ts';

const toolName = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, {
  error: 'must be the name of a tool: letters, digits, _, . and -, at most 64',
});

/** What deliveries and the MCP endpoint say. */
export const eventKnobs = {
  eventTimestamp: z
    .enum(['iso_seconds', 'iso_millis', 'iso_offset', 'unix_seconds', 'unix_millis'])
    .default('iso_seconds')
    .meta({
      description:
        'The `timestamp` of a delivery: `2026-07-07T12:00:00Z`, with milliseconds, with the offset +03:00, or a number of seconds or milliseconds since 1970.',
    }),
  eventExtraFields: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether a delivery has fields that nobody knows.' }),
  mcpToolNames: z
    .partialRecord(z.enum(mcpTools), toolName)
    .refine((names) => new Set(mcpTools.map((tool) => names[tool] ?? tool)).size === mcpTools.length, {
      error: 'must give every tool another name',
    })
    .default({})
    .meta({
      description: 'Other names for the tools of the MCP endpoint.',
      examples: [{ search_meetings: 'search' }],
    }),
};
