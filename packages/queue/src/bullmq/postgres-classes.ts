import { setTimeout as pause } from 'node:timers/promises';

import { createPostgresBackend, type PostgresConnectionOptions, withBackend } from 'bullmq';

import type { ConnectionUse, PostgresBackend } from '../backend.ts';
import { bullSchema } from './queue-names.ts';

const PAUSE_AFTER_ERROR_MS = 500;

/**
 * BullMQ's classes on PostgreSQL. A worker that can't fetch asks again at once, so that a restarting
 * server would be asked hundreds of times a second: here a failed fetch waits a moment first.
 */
const classes = withBackend<ReturnType<typeof createPostgresBackend>, PostgresConnectionOptions>(
  (name, options, factoryOptions) => {
    const backend = createPostgresBackend(name, options, factoryOptions);
    const moveToActive = backend.moveToActive.bind(backend);
    backend.moveToActive = async (...parameters) => {
      try {
        return await moveToActive(...parameters);
      } catch (error) {
        await pause(PAUSE_AFTER_ERROR_MS, undefined, { ref: false });
        throw error;
      }
    };
    return backend;
  },
);

export const PostgresQueue = classes.Queue;
export const PostgresWorker = classes.Worker;

/**
 * The settings of a BullMQ connection. They must be settings and not a pool of ours: only then does
 * BullMQ pin the search path to the schema.
 */
export function toBullConnection(backend: PostgresBackend, use: ConnectionUse): PostgresConnectionOptions {
  return {
    ...Object.fromEntries(Object.entries(backend.poolConfig(use))),
    schema: bullSchema(backend.namespace),
  };
}
