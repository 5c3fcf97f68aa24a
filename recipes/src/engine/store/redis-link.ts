import {
  readRedisTime,
  type RedisBackend,
  type RedisScript,
  runRedisScript,
  withDeadline,
} from '@aftermeet/queue';

import { type Closable, closeWriters, createGate, endWithin } from './store-tools.ts';

const closeWithinMs = 1000;

/** As long as PostgreSQL has for one statement. */
const answerWithinMs = 12_000;

/**
 * A store's own connection to Redis. The client waits for a server that is away as long as it takes, and leaves what
 * waits then unanswered for ever when it is closed: so all commands go through here.
 */
export interface RedisLink {
  readonly client: RedisClient;
  /** Rejects after twelve seconds, and when the link is closed. What was asked may be done all the same. */
  ask<Answer>(command: (client: RedisClient) => Promise<Answer>): Promise<Answer>;
  /** Rejects when the link is closed, and else waits for the server. A script may run twice when a connection breaks. */
  run(script: RedisScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>;
  /** The server's clock, milliseconds since 1970. */
  readonly readClockMs: () => Promise<number>;
  /** Lets the writers end when the server answers. A server that is away, or silent, is not waited for. */
  close(writers?: readonly Closable[]): Promise<void>;
}

export function openRedisLink(backend: RedisBackend): RedisLink {
  const client = backend.connect('work');
  const gate = createGate();
  const ask: RedisLink['ask'] = (command) =>
    withDeadline(
      gate.pass(() => command(client)),
      answerWithinMs,
    );
  return {
    client,
    ask,
    readClockMs: () => ask(readRedisTime),
    run: (script, keys, args) => gate.pass(() => runRedisScript(client, script, keys, args)),
    async close(writers = []) {
      await closeWriters(writers, closeWithinMs);
      if (client.status === 'ready') await endWithin(client.quit(), closeWithinMs);
      client.disconnect();
      gate.close();
    },
  };
}

export type RedisClient = ReturnType<RedisBackend['connect']>;
