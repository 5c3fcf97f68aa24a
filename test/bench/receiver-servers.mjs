// Servers that receive deliveries, each a process of its own: ours, and what is written by hand.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

import { SECRET } from '../harness/outages/load.mjs';

const maxBytes = 256 * 1024;
const toleranceSeconds = 300;

/**
 * Our receiver. Without a store its inbox keeps nothing and answers at once; `isLogged` turns on the log as
 * `aftermeet receiver` writes it, to stderr.
 */
export async function ours({ url: queueUrl, namespace, isLogged = false }) {
  const { createLog } = await import('../../packages/cli/dist/hosting/log.js');
  const { createInbox, createJobQueue, openBackend, silentLog } =
    await import('../../packages/queue/dist/index.js');
  const { createReceiver } = await import('../../receiver/dist/index.js');
  const log = isLogged ? await createLog({ level: 'info', format: 'json' }) : silentLog;
  const backend = queueUrl === undefined ? undefined : await openBackend(queueUrl, { namespace, log });
  const inbox = backend === undefined ? emptyInbox : await createInbox(backend, { log });
  const receiver = createReceiver({
    endpoints: { byName: new Map([['default', { secrets: [SECRET] }]]) },
    inbox,
    log,
  });
  const { url } = await receiver.listen({ host: '127.0.0.1', port: 0 });
  return {
    greeting: { port: Number(new URL(url).port) },
    async count() {
      const jobs = await createJobQueue(backend);
      const { waiting } = await jobs.counts('event');
      await jobs.close();
      return { count: waiting };
    },
    async close() {
      await receiver.close();
      await inbox.close();
      await backend?.close();
    },
  };
}

const accepted = Promise.resolve({ kind: 'accepted', isConflict: false });
const emptyInbox = {
  accept: () => accepted,
  recordRefusal: () => Promise.resolve(),
  listRefusals: () => Promise.resolve([]),
  ping: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** Verifies by hand and answers. */
export function handWritten() {
  return serve((_event, _request, response) => answer(response, 200, '{"ok":true}'));
}

/**
 * The obvious program: verifies by hand and adds one job for each delivery. It knows no duplicates (but by the id that the
 * signature does not cover), no schema, no limits, no outage.
 */
export async function obvious({ redisUrl, postgres, namespace }) {
  const { createPostgresBackend, Queue, withBackend } = await import('bullmq');
  const queue =
    redisUrl === undefined
      ? new (withBackend(createPostgresBackend).Queue)(namespace, {
          connection: { ...postgres, schema: `${namespace}_queue`, migrate: true },
        })
      : new Queue(namespace, { connection: { url: redisUrl } });
  await queue.waitUntilReady();
  const served = await serve((event, request, response) => {
    queue
      .add('delivery', event, { jobId: request.headers['x-service-delivery'], attempts: 20 })
      .then(() => answer(response, 200, '{"ok":true}'))
      .catch(() => answer(response, 500, '{"error":"not stored"}'));
  });
  return {
    ...served,
    async count() {
      const { waiting } = await queue.getJobCounts('waiting');
      return { count: waiting };
    },
    async close() {
      served.close();
      await queue.close();
    },
  };
}

/**
 * What a good engineer writes by hand for this one sender: a limit before the body is read, the signature over its bytes in
 * constant time, the age of the timestamp, and only then JSON.
 */
async function serve(onEvent) {
  const server = createServer((request, response) => {
    if (request.method !== 'POST' || request.url !== '/hooks/default') {
      answer(response, 404, '{"error":"not found"}');
      return;
    }
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
      answer(response, 413, '{"error":"too large"}');
      return;
    }
    const chunks = [];
    let size = 0;
    request.on('data', (chunk) => {
      size += chunk.length;
      if (size > maxBytes) request.destroy();
      else chunks.push(chunk);
    });
    request.on('error', () => {});
    request.on('end', () => {
      const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
      if (!isGenuine(request.headers, body)) {
        answer(response, 401, '{"error":"unauthorized"}');
        return;
      }
      let event;
      try {
        event = JSON.parse(body.toString());
      } catch {
        answer(response, 400, '{"error":"not JSON"}');
        return;
      }
      onEvent(event, request, response);
    });
  });
  server.keepAliveTimeout = 65_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { greeting: { port: server.address().port }, close: () => server.closeAllConnections() };
}

function answer(response, status, text) {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': text.length });
  response.end(text);
}

function isGenuine(headers, body) {
  const signature = headers['x-service-signature'] ?? '';
  const timestamp = headers['x-service-timestamp'] ?? '';
  if (!/^sha256=[0-9a-f]{64}$/.test(signature) || !/^\d{1,11}$/.test(timestamp)) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) return false;
  const mac = createHmac('sha256', SECRET).update(`${timestamp}.`).update(body).digest();
  return timingSafeEqual(mac, Buffer.from(signature.slice(7), 'hex'));
}
