// The process around the measured one: it fills queues, counts what has become of it, delivers, and is Slack.
import { once } from 'node:events';
import { Agent, createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

import {
  createInbox,
  createJobQueue,
  openBackend,
  silentLog,
  StoreUnavailable,
} from '../../packages/queue/dist/index.js';
import { settlePolicies } from '../../recipes/dist/destinations/index.js';
import { openSharedLimits } from '../../recipes/dist/engine/limits/rate-limits.js';
import { queueEffects } from '../../recipes/dist/engine/queue-effects.js';
import { openLedger } from '../../recipes/dist/engine/store/open-stores.js';
import { post, signDelivery } from '../harness/outages/load.mjs';
import { channelOf, openNoop, titleOf, writeAcceptance, writeBody, writeEffect } from './effects-samples.mjs';

const atOnce = 1000;

let queueUrl;

export async function outside(options) {
  ({ queueUrl } = options);
  const slack = await startSlack();
  return {
    greeting: { slackUrl: slack.url },
    fillNoops,
    fillEffects,
    fillEvents,
    countAll,
    feed,
    deliver: (order) => deliver(order, slack),
    takeSlackCounts: () => slack.takeCounts(),
  };
}

/** Jobs of BullMQ's own, with the data of an effect. */
async function fillNoops({ namespace, count }) {
  const open = (backend) => openNoop('Queue', backend, { poolSize: 4 });
  await withBackend(namespace, open, ({ opened: queue }) =>
    inGroups(count, (indexes) =>
      queue.addBulk(
        indexes.map((index) => {
          const data = writeEffect(`m_${namespace}_${index}`, 'recap', channelOf(0));
          const opts = { attempts: 12, backoff: { type: 'capped' }, jobId: data.effectKey };
          return { name: 'effect', data, opts };
        }),
      ),
    ),
  );
}

/**
 * Effects as the worker queues them, over so many channels in turn. `agoMs`: planned that long ago, and every delay is
 * over, as after a time without workers.
 */
async function fillEffects({ namespace, count, channels, firstChannel = 0, recipe, title, policies, agoMs }) {
  await withBackend(namespace, createJobQueue, async (queue, backend) => {
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
async function fillEvents({ namespace, count }) {
  await withBackend(namespace, createInbox, (inbox) =>
    acceptAll(inbox, { namespace, count, title: 'Weekly sync' }),
  );
}

async function acceptAll(inbox, { namespace, count, title, endpoint }) {
  await inGroups(count, (indexes) =>
    Promise.all(
      indexes.map((index) =>
        acceptSurely(inbox, writeAcceptance(`m_${namespace}_${index}`, title, endpoint)),
      ),
    ),
  );
}

async function inGroups(count, add) {
  for (let from = 0; from < count; from += atOnce) {
    const size = Math.min(atOnce, count - from);
    await add(Array.from({ length: size }, (_unused, index) => from + index));
  }
}

/**
 * Accepts `count` deliveries, one every `everyMs`; `storm`, if there is one, comes all at once after the first few.
 * Resolves with when each was accepted, by its meeting.
 */
function feed({ namespace, count, everyMs, rooms, storm }) {
  return withBackend(namespace, createInbox, async (inbox) => {
    const accepted = [];
    const startedMs = readNowMs();
    const stormAt = Math.min(5, count - 1);
    let breaking;
    for (let index = 0; index < count; index += 1) {
      await pause(Math.max(0, startedMs + index * everyMs - readNowMs()));
      if (index === stormAt && storm !== undefined) breaking = acceptAll(inbox, { namespace, ...storm });
      const meetingId = `m_feed_${index}`;
      await acceptSurely(inbox, writeAcceptance(meetingId, titleOf(index % rooms)));
      accepted.push([meetingId, readNowMs()]);
    }
    await breaking;
    return { accepted };
  });
}

/** A channel takes one message a second: with this each has been idle for longer when it is its turn again. */
const channelIdleMs = 1200;

/** Resolves with three moments of each delivery: when it was sent, accepted, and posted. */
async function deliver({ port, count, rooms }, slack) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const lastMs = new Map();
  const moments = [];
  try {
    for (let index = 0; index < count; index += 1) {
      const room = index % rooms;
      // At no fixed point of whatever the worker does at intervals.
      const idleMs = (lastMs.get(room) ?? 0) + channelIdleMs - readNowMs();
      await pause(Math.max(idleMs, 5 + ((index * 37) % 40)));
      const posted = slack.nextPost().then(readNowMs);
      const meetingId = `m_http_${index}`;
      const body = Buffer.from(writeBody(meetingId, titleOf(room)));
      const headers = signDelivery({ deliveryId: meetingId, body });
      const sentMs = readNowMs();
      const { status } = await post(`http://127.0.0.1:${port}/hooks/default`, { agent, headers, body });
      const acceptedMs = readNowMs();
      if (status !== 200) throw new Error(`the receiver answered ${status}`);
      const postedMs = await posted;
      lastMs.set(room, postedMs);
      moments.push({ meetingId, sentMs, acceptedMs, postedMs });
    }
  } finally {
    agent.destroy();
  }
  return { moments };
}

const counted = ['slack', 'notion', 'email', 'http', 'folder'];

/** What has become of everything in a namespace: the jobs of both kinds, and the ledger's effects by their state. */
function countAll({ namespace }) {
  return withBackend(namespace, createJobQueue, async (queue, backend) => {
    const ledger = await openLedger(backend);
    try {
      const perDestination = await Promise.all(counted.map((name) => queue.countEffects(name)));
      const effects = {};
      for (const counts of perDestination) {
        for (const [state, count] of Object.entries(counts)) effects[state] = (effects[state] ?? 0) + count;
      }
      return { events: await queue.counts('event'), effects, ledger: await ledger.counts() };
    } finally {
      await ledger.close();
    }
  });
}

const keyOf = /(?:%22key%22%3A%22|"key":")([0-9a-f]{64})/;
const channelIn = /(?:^channel=|&channel=|"channel":")([A-Z0-9]+)/;

/** The least that our worker and Slack's SDK take for Slack: every message is posted at once. The SDK sends forms, the worker JSON. */
async function startSlack() {
  let keys = new Set();
  let posts = 0;
  let onPost = () => {};
  async function answer(incoming, response) {
    const body = await text(incoming);
    const [, channel] = channelIn.exec(body) ?? [];
    const [, key] = keyOf.exec(body) ?? [];
    // The request fails, so that it is seen.
    if (channel === undefined || key === undefined || incoming.url !== '/api/chat.postMessage') {
      response.writeHead(400).end();
      return;
    }
    posts += 1;
    keys.add(key);
    onPost();
    const taken = JSON.stringify({ ok: true, channel, ts: `1795000000.${String(posts).padStart(6, '0')}` });
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': taken.length });
    response.end(taken);
  }

  const server = createServer((incoming, response) => void answer(incoming, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/api/`,
    /** How many messages were posted since the last time, and how many different ones. */
    takeCounts() {
      const counts = { posts, different: keys.size };
      posts = 0;
      keys = new Set();
      return counts;
    },
    /** Resolves with the next message. */
    nextPost: () =>
      new Promise((resolve) => {
        onPost = resolve;
      }),
  };
}

/** Opens a namespace for as long as `work` takes; `open` gives something to `work` that is closed after it. */
async function withBackend(namespace, open, work) {
  const backend = await openBackend(queueUrl, { namespace, log: silentLog });
  try {
    const opened = await open(backend, { log: silentLog });
    try {
      return await work(opened, backend);
    } finally {
      await opened.close();
    }
  } finally {
    await backend.close();
  }
}

/** Accepts a delivery; where the store cannot take it in time, again after a while, as its sender would. */
async function acceptSurely(inbox, acceptance) {
  for (;;) {
    try {
      await inbox.accept(acceptance);
      return;
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
    await pause(200);
  }
}

/** Milliseconds on a clock that all processes of this machine share, and that is never set. */
function readNowMs() {
  return Number(process.hrtime.bigint()) / 1e6;
}
