import type { Redis } from 'ioredis';

import { withDeadline } from '../with-deadline.ts';

/** Closes a connection, politely when the server answers, and in any case within a second. */
export async function closeRedis(client: Redis): Promise<void> {
  if (client.status === 'end') return;
  if (client.status === 'ready') {
    // A server that does not answer QUIT is left at once.
    await withDeadline(client.quit(), 1000).catch(() => undefined);
  }
  client.disconnect();
}
