import { Hono } from 'hono';

import { type Hook, takeDelivery } from './fetch-handler.ts';

export function createHonoApp(hook: Hook): Hono {
  const app = new Hono();
  app.post('/hooks', (context) => takeDelivery(context.req.raw, hook));
  return app;
}
