import { once } from 'node:events';
import type { Server } from 'node:http';

import express, { type Express } from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createDeliveryHandler, type DeliveryHandler } from './delivery-handler.ts';
import { eventText, NOW_MS, SECRET } from './testing/event-text.ts';
import { createListInbox } from './testing/list-inbox.ts';
import { postDelivery } from './testing/post-delivery.ts';
import { createRecordingLog } from './testing/recording-log.ts';

let lines: string[];
let server: Server | undefined;
beforeEach(() => {
  lines = [];
});
afterEach(() => new Promise((resolve) => server?.close(resolve)));

async function mount(arrange: (app: Express, handler: DeliveryHandler) => void): Promise<string> {
  const app = express();
  const handler = createDeliveryHandler({
    endpoints: { byName: new Map([['default', { secrets: [SECRET] }]]) },
    inbox: createListInbox(),
    log: createRecordingLog(lines),
    nowMs: () => NOW_MS,
  });
  arrange(app, handler);
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

describe('in an Express app', () => {
  it('works before express.json()', async () => {
    const url = await mount((app, handler) => app.use('/hooks', handler).use(express.json()));
    expect((await postDelivery(`${url}/hooks/default`, eventText())).status).toBe(200);
  });

  it('works in a router, under another path, behind a trusted proxy', async () => {
    const url = await mount((app, handler) =>
      app.set('trust proxy', true).use('/a', express.Router().use('/b', handler)),
    );
    expect((await postDelivery(`${url}/a/b/default`, eventText())).status).toBe(200);
    expect((await postDelivery(`${url}/a/b/other`, eventText())).status).toBe(404);
  });

  it.each([
    ['express.json()', express.json()],
    ['express.raw()', express.raw({ type: '*/*' })],
  ])('behind %s asks the sender to repeat, and names the cause in the log', async (_name, parser) => {
    const url = await mount((app, handler) => app.use(parser).use('/hooks', handler));
    expect((await postDelivery(`${url}/hooks/default`, eventText())).status).toBe(503);
    expect(lines.join()).toContain('mount it before express.json()');
  });
});
