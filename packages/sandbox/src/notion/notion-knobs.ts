import { z } from 'zod';

import { capabilities } from './notion-route.ts';

/** How Notion is played, as far as it can be turned while the stand-in runs. */
export const notionKnobsSchema = z.strictObject({
  /** What became of the token: every call with a revoked one is `unauthorized`. */
  token: z.enum(['active', 'revoked']),
  /** What the connection may do; without what a method needs it is `restricted_resource`. */
  capabilities: z.array(z.enum(capabilities)),
  /** Calls that a connection may make in 60 seconds (Notion: 180, on Business and Enterprise 600); null: any number. */
  requests_per_minute: z.int().positive().nullable(),
  /** What becomes of a write while another one into the same page or data source is under way: `conflict_error`, or it takes its turn. */
  concurrent_writes: z.enum(['queue', 'conflict']),
  /** How long a write takes, of the machine's time. */
  write_ms: z.number().min(0).max(60_000),
  /** How long a new page is not found by queries and by the search: Notion's index comes later than the page. */
  query_lag_seconds: z.number().min(0).max(86_400),
});

export type NotionKnobs = z.output<typeof notionKnobsSchema>;

export const usualNotionKnobs: NotionKnobs = {
  token: 'active',
  capabilities: [...capabilities],
  requests_per_minute: null,
  concurrent_writes: 'queue',
  write_ms: 0,
  query_lag_seconds: 0,
};
