// The obvious program: verifies by hand and adds one job for each delivery. It knows no duplicates (but by the id that
// nobody signed), no schema, no limits, no outage.
import { createPostgresBackend, Queue, withBackend } from 'bullmq';

import { listen } from './listen.mjs';
import { answer, createVerifiedServer } from './verified-server.mjs';

export async function start({ redisUrl, postgres, namespace }) {
  const queue =
    redisUrl === undefined
      ? new (withBackend(createPostgresBackend).Queue)(namespace, {
          connection: { ...postgres, schema: `${namespace}_queue`, migrate: true },
        })
      : new Queue(namespace, { connection: { url: redisUrl } });
  await queue.waitUntilReady();
  const server = createVerifiedServer((event, request, response) => {
    queue
      .add('delivery', event, { jobId: request.headers['x-service-delivery'], attempts: 20 })
      .then(() => answer(response, 200, '{"ok":true}'))
      .catch(() => answer(response, 500, '{"error":"not stored"}'));
  });
  return {
    port: await listen(server),
    async count() {
      const { waiting } = await queue.getJobCounts('waiting');
      return waiting;
    },
    async close() {
      server.closeAllConnections();
      await queue.close();
    },
  };
}
