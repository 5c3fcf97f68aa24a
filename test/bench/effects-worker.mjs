// The process that is measured: ways to work off what waits in a namespace. `drain` says how long it took, by the clock and
// in CPU; `start`, `times` and `stop` are for measurements that last.
import { openBackend, silentLog } from '../../packages/queue/dist/index.js';
import { channelOf, destinations, openNoop, writeEffect, writeReport } from './effects-samples.mjs';

const DAY_SECONDS = 24 * 3600;
const STUCK_AFTER_MS = 30_000;

export const engine = (settings) => openTasks(startEngine, settings);
export const noop = (settings) => openTasks(startNoop, settings);
export const sdk = (settings) => openTasks(startSdk, settings);

function openTasks(start, settings) {
  let running;
  let times = [];
  return {
    async drain({ namespace, total }) {
      const tally = createTally(total);
      const worker = await start({ ...settings, namespace, total }, tally);
      const result = await tally.finished;
      await worker.close();
      return result;
    },
    async start({ namespace }) {
      times = [];
      const tally = {
        onBegin() {},
        onWait() {},
        onSent: (_key, meetingId) => times.push([meetingId, Number(process.hrtime.bigint()) / 1e6]),
        onFailed(cause) {
          throw new Error(`an effect has failed: ${cause}`);
        },
      };
      running = await start({ ...settings, namespace }, tally);
    },
    /** When each effect was sent, by its meeting. */
    times: () => ({ times }),
    stop: () => running.close(),
  };
}

/**
 * Our worker. Every report is there at once; with `isIdle` its destinations do nothing; `isLogged` turns on the log as
 * `aftermeet worker` writes it, to stderr.
 */
async function startEngine(settings, tally) {
  const { queueUrl, namespace, slackUrl, isIdle, isLogged, channels = 1, recipes, policies } = settings;
  const { createLog } = await import('../../packages/cli/dist/hosting/log.js');
  const { listPrebuiltRecipes, startWorker } = await import('../../recipes/dist/index.js');
  const backend = await openBackend(queueUrl, { namespace, log: silentLog });
  const recap = listPrebuiltRecipes().find(({ id }) => id === 'slack-recap');
  const get = async (meetingId) => {
    tally.onBegin();
    return { ready: true, report: writeReport(meetingId) };
  };
  const worker = await startWorker({
    backend,
    client: { reports: { get } },
    recipes: recipes.map((recipe) =>
      recipe.use === 'slack-recap' && recipe.with.channel === undefined
        ? { ...recipe, definition: overChannels(recap, channels) }
        : recipe,
    ),
    destinations: { ...destinations, slack: { ...destinations.slack, apiUrl: slackUrl } },
    workspace: 'bench',
    policies,
    log: isLogged ? await createLog({ level: 'info', format: 'json' }) : silentLog,
    ...(isIdle ? { connectors: idleConnectors } : {}),
    observe(step) {
      if (step.kind === 'effect_sent') tally.onSent(step.effectKey, step.meetingId);
      if (step.kind === 'effect_waiting') tally.onWait(step.why);
      if (step.kind === 'effect_failed' || step.kind === 'effect_skipped') tally.onFailed(step.cause);
    },
  });
  return {
    async close() {
      await worker.close();
      await backend.close();
    },
  };
}

/** The recap, to so many channels in turn, as the meetings are numbered. */
function overChannels(recap, channels) {
  return {
    ...recap,
    bind: (values, settings) => ({
      ...recap.bind(values, settings),
      plan: ({ meetingId }) => {
        const number = Number(meetingId.slice(meetingId.lastIndexOf('_') + 1));
        return [{ target: channelOf(number % channels), part: 0 }];
      },
    }),
  };
}

/** Destinations that take everything and do nothing. */
const idleConnectors = {
  prepare: async () => ({ result: 'ready', prepared: idleSend }),
  close: async () => {},
};

const idleSend = {
  timeoutMs: 10_000,
  send: async () => ({ result: 'sent', reference: 'C000000000/1795000000.000100' }),
  probe: async () => ({ result: 'absent' }),
};

/** BullMQ's own worker with a job that does nothing, and the settings of ours. */
async function startNoop({ queueUrl, namespace, places }, tally) {
  const backend = await openBackend(queueUrl, { namespace, log: silentLog });
  const kept = { age: 7 * DAY_SECONDS, ...(backend.kind === 'redis' ? { count: 100_000 } : {}) };
  const work = async (job) => {
    tally.onBegin();
    tally.onSent(job.id);
  };
  const queue = openNoop('Worker', backend, {
    words: [work],
    poolSize: 5,
    concurrency: places,
    lockDuration: 10_000,
    stalledInterval: 5000,
    maxStalledCount: 1_000_000_000,
    removeOnComplete: kept,
    removeOnFail: kept,
  });
  queue.opened.on('error', (error) => tally.onFailed(error.message));
  await queue.opened.waitUntilReady();
  return {
    async close() {
      await queue.close();
      await backend.close();
    },
  };
}

/** The floor: a bare loop over Slack's SDK that posts what our worker posts, as many at once, and knows nothing else. */
async function startSdk({ slackUrl, places, channels, total, namespace }, tally) {
  const { WebClient } = await import('@slack/web-api');
  const { renderSlackRecap } = await import('../../recipes/dist/destinations/slack/render-recap.js');
  const { buildDigest } = await import('../../recipes/dist/report/digest.js');
  const client = new WebClient('xoxb-bench', {
    slackApiUrl: slackUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: 10_000,
  });
  const [{ text, blocks }] = renderSlackRecap(buildDigest(writeReport('m_bench')));
  const posts = Array.from({ length: total }, (_unused, index) => {
    const channel = channelOf(index % channels);
    return { channel, key: writeEffect(`m_${namespace}_${index}`, 'recap', channel).effectKey };
  });
  let next = 0;
  const post = async () => {
    while (next < total) {
      const { channel, key } = posts[next];
      next += 1;
      tally.onBegin();
      await client.chat.postMessage({
        channel,
        text,
        blocks: [...blocks],
        metadata: { event_type: 'aftermeet_effect', event_payload: { key } },
        unfurl_links: false,
        unfurl_media: false,
      });
      tally.onSent(key);
    }
  };
  const loops = Promise.all(Array.from({ length: places }, post));
  loops.catch((error) => tally.onFailed(error.message));
  return { close: () => loops };
}

/**
 * Counts effects until `total` of them are sent, each once. `finished` rejects when one has failed, or when nothing was
 * sent for half a minute: then some are lost.
 */
function createTally(total) {
  const keys = new Set();
  const waits = {};
  let doubles = 0;
  let began;
  let lastMs = performance.now();
  let finish;
  let fail;
  const finished = new Promise((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  const watch = setInterval(() => {
    if (performance.now() - lastMs < STUCK_AFTER_MS) return;
    clearInterval(watch);
    fail(new Error(`only ${keys.size} of ${total} were sent; put aside: ${JSON.stringify(waits)}`));
  }, 1000);

  return {
    finished,
    /** The first of them is worked on. */
    onBegin() {
      began ??= { ms: performance.now(), cpu: process.cpuUsage() };
    },
    onSent(key) {
      lastMs = performance.now();
      if (keys.has(key)) doubles += 1;
      keys.add(key);
      if (keys.size < total) return;
      clearInterval(watch);
      const seconds = (lastMs - began.ms) / 1000;
      const { user, system } = process.cpuUsage(began.cpu);
      finish({
        seconds,
        perSecond: total / seconds,
        wallMicros: (seconds * 1e6) / total,
        cpuMicros: (user + system) / total,
        doubles,
      });
    },
    onWait(why) {
      lastMs = performance.now();
      waits[why] = (waits[why] ?? 0) + 1;
    },
    onFailed: (cause) => fail(new Error(`an effect has failed: ${cause}`)),
  };
}
