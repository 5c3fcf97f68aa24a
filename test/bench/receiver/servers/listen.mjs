import { once } from 'node:events';

/** The port that a server listens on. */
export async function listen(server) {
  server.keepAliveTimeout = 65_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.address().port;
}
