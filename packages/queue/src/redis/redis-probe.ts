import type { Redis } from 'ioredis';

/** What a server is, and what this user may ask of it. */
export interface RedisFacts {
  /** The data is spread over several servers. */
  readonly isCluster: boolean;
  /** ioredis and BullMQ ask INFO at each start, unless they are told not to. */
  readonly mayAskInfo: boolean;
}

/** Reads the facts. The client must not ask INFO itself, because ioredis writes to the console when that is forbidden. */
export async function probeRedis(client: Redis): Promise<RedisFacts> {
  try {
    const info = await client.info('cluster');
    return { isCluster: /^cluster_enabled:1/m.test(info), mayAskInfo: true };
  } catch (error) {
    if (!isForbidden(error)) throw error;
  }
  // HELLO is allowed to every user since Redis 6, which is the first with users.
  const hello = JSON.stringify(await client.call('HELLO').catch(() => ''));
  return { isCluster: /"mode"[,:]"cluster"/.test(hello), mayAskInfo: false };
}

/** NOPERM comes from an ACL; a server whose administrator has renamed the command does not know it. */
function isForbidden(error: unknown): boolean {
  return error instanceof Error && /^(?:NOPERM|ERR unknown command)/i.test(error.message);
}
