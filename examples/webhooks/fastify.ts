import { verifyDelivery } from '@aftermeet/webhooks';
import fastify, { type FastifyInstance } from 'fastify';

import { type Hook, parse } from './fetch-handler.ts';

export function createFastifyApp({ secrets, store }: Hook): FastifyInstance {
  const app = fastify();
  // The signature is over the bytes as they came: Fastify must not parse them first.
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  app.post<{ Body: Buffer }>('/hooks', async ({ body, headers }, reply) => {
    const verdict = verifyDelivery({
      body,
      signature: headers['x-service-signature'],
      timestamp: headers['x-service-timestamp'],
      secrets,
      nowSeconds: Date.now() / 1000,
    });
    if (!verdict.ok) return reply.code(401).send({ error: 'unauthorized' });
    const event = parse(body.toString('utf8'));
    if (event === undefined) return reply.code(400).send();
    try {
      await store(event);
    } catch {
      return reply.code(503).header('retry-after', '30').send();
    }
    return { status: 'accepted' };
  });
  return app;
}
