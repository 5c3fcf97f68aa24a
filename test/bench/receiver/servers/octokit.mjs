// GitHub's own middleware on node:http, as its README shows it, with one listener.
import { createServer } from 'node:http';

import { SECRET } from '../deliveries.mjs';
import { importPeer } from './import-peer.mjs';
import { listen } from './listen.mjs';

export async function start() {
  const { createNodeMiddleware, Webhooks } = await importPeer('@octokit/webhooks');
  const webhooks = new Webhooks({ secret: SECRET });
  webhooks.on('push', () => {});
  return { port: await listen(createServer(createNodeMiddleware(webhooks, { path: '/hooks/bench' }))) };
}
