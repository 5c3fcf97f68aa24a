import { createHash } from 'node:crypto';

import type { RedisBackend } from '@aftermeet/queue';

export type RedisClient = ReturnType<RedisBackend['connect']>;

/** A Lua script, which a server knows by its hash once it has seen it. */
export interface RedisScript {
  readonly text: string;
  readonly sha: string;
}

export function describeScript(text: string): RedisScript {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

/** Runs a script, and sends its text only to a server that has not seen it or was restarted since. */
export async function runScript(
  client: RedisClient,
  script: RedisScript,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await client.evalsha(script.sha, keys.length, ...keys, ...args);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return await client.eval(script.text, keys.length, ...keys, ...args);
  }
}
