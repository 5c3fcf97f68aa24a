import type { PostgresPoolConfig } from 'bullmq';

import type { ConnectionUse, PostgresBackend } from '../backend.ts';
import { bullSchema } from './queue-names.ts';

/**
 * The settings of a BullMQ connection with at most `max` sessions. They must be settings and not a pool of ours: only
 * then does BullMQ pin the search path to the schema, and check the version of the right one.
 */
export function toBullConnection(
  backend: PostgresBackend,
  use: ConnectionUse,
  max: number,
): PostgresPoolConfig {
  return {
    ...Object.fromEntries(Object.entries(backend.poolConfig(use))),
    max,
    schema: bullSchema(backend.namespace),
  };
}
