// What waits for a worker before it is started.
import { createPostgresBackend, Queue, withBackend as bindBullmq } from 'bullmq';

import { createInbox, createJobQueue } from '../../../../packages/queue/dist/index.js';
import { settlePolicies } from '../../../../recipes/dist/destinations/index.js';
import { openSharedLimits } from '../../../../recipes/dist/engine/limits/rate-limits.js';
import { queueEffects } from '../../../../recipes/dist/engine/queue-effects.js';
import { noopQueue, toPostgresConnection, toPrefix } from '../noop-queue.mjs';
import { channelOf, writeAcceptance, writeEffect } from '../samples.mjs';
import { acceptSurely } from './accept-surely.mjs';
import { withBackend } from './with-backend.mjs';

const atOnce = 1000;

/** Jobs of BullMQ's own, with the data of an effect. */
export async function fillNoops({ queueUrl, namespace, count }) {
  await withBackend({ queueUrl, namespace }, openNoopQueue, async (queue) => {
    const options = { attempts: 12, backoff: { type: 'capped' } };
    await inGroups(count, (indexes) =>
      queue.addBulk(
        indexes.map((index) => {
          const effect = writeEffect(`m_${namespace}_${index}`, 'recap', channelOf(0));
          return {
            name: 'effect',
            data: effect,
            opts: { ...options, jobId: effect.effectKey },
          };
        }),
      ),
    );
  });
}

/**
 * Effects as the worker queues them, over so many channels in turn. `agoMs`: planned that long ago, and every delay is
 * over, as after a time without workers.
 */
export async function fillEffects({
  queueUrl,
  namespace,
  count,
  channels,
  firstChannel = 0,
  recipe,
  title,
  policies,
  agoMs,
}) {
  await withBackend({ queueUrl, namespace }, createJobQueue, async (queue, backend) => {
    const { rateLimits } = await openSharedLimits(backend);
    const due = {
      addEffects: (added) =>
        queue.addEffects(agoMs === undefined ? added : added.map(({ job, place }) => ({ job, place }))),
    };
    const tools = {
      queue: due,
      rateLimits,
      policies: settlePolicies(policies),
      clock: () => Date.now() - (agoMs ?? 0),
    };
    try {
      await inGroups(count, async (indexes) => {
        const write = (index) =>
          writeEffect(`m_${namespace}_${index}`, recipe, channelOf(firstChannel + (index % channels)), title);
        await queueEffects(indexes.map(write), tools);
      });
    } finally {
      await rateLimits.close();
    }
  });
}

/** Deliveries that were accepted. */
export async function fillEvents({ queueUrl, namespace, count, title = 'Weekly sync' }) {
  await withBackend({ queueUrl, namespace }, createInbox, (inbox) =>
    acceptAll(inbox, { namespace, count, title }),
  );
}

export async function acceptAll(inbox, { namespace, count, title }) {
  await inGroups(count, (indexes) =>
    Promise.all(
      indexes.map((index) => acceptSurely(inbox, writeAcceptance(`m_${namespace}_${index}`, title))),
    ),
  );
}

function openNoopQueue(backend) {
  if (backend.kind === 'postgres') {
    return new (bindBullmq(createPostgresBackend).Queue)(noopQueue, {
      connection: toPostgresConnection(backend, 4),
    });
  }
  const connection = backend.connect('work');
  const queue = new Queue(noopQueue, { connection, prefix: toPrefix(backend.namespace) });
  return {
    addBulk: (jobs) => queue.addBulk(jobs),
    async close() {
      await queue.close();
      connection.disconnect();
    },
  };
}

async function inGroups(count, add) {
  for (let from = 0; from < count; from += atOnce) {
    const size = Math.min(atOnce, count - from);
    await add(Array.from({ length: size }, (_unused, index) => from + index));
  }
}
