// What the parts of this benchmark have in common: the stores, the processes, and one measurement of what waits.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { planCores } from '../receiver/bench.mjs';
import { watchNoise } from '../receiver/noise.mjs';
import { startProcess } from '../receiver/processes.mjs';
import { startEmbedded } from '../receiver/stores/embedded.mjs';
import { findRedis, startRedis } from '../receiver/stores/redis.mjs';
import { describeProfile } from './profile.mjs';

/** No effect of these destinations waits for another. */
export const unlimited = {
  slack: { gapMs: 0 },
  notion: { gapMs: 0 },
  email: { gapMs: 0, concurrency: 16 },
};

/** How many effects of a destination are under way at once, as our worker has it by default. */
export const usualPlaces = 16;

/**
 * Runs one part on each store, one after the other: `work({ store, outside, bench })` resolves with figures and lines.
 * A store that is not there is left out, and said to be.
 */
export async function onEachStore(title, options, work) {
  const program = findRedis();
  const stores = [
    ...(program === undefined ? [] : [['redis', (cores) => startRedis(program, cores)]]),
    ['embedded', startEmbedded],
  ];
  const figures = {};
  const lines = program === undefined ? [`${title} on Redis: left out, there is no redis-server here`] : [];
  for (const [name, startStore] of stores) {
    const cores = planCores();
    const tellNoise = watchNoise();
    const store = await startStore(cores.load);
    const bench = createBench({ ...options, storeName: name, store, cores });
    let result;
    try {
      bench.outside = await startProcess('../effects/outside.mjs', [store.url], { cores: cores.load });
      result = await work(bench);
    } finally {
      await bench.outside?.stop();
      await store.stop();
    }
    const noise = { ...tellNoise(), cores };
    const presented = await result.present(noise);
    figures[name] = { noise, ...presented.figures };
    lines.push(...presented.lines, ...bench.profiles.flatMap((path) => describeProfile(path)));
  }
  return { figures, lines };
}

function createBench({ isQuick, isProfiled, storeName, store, cores }) {
  const profiles = [];
  let folder;
  let serial = 0;
  return {
    storeName,
    store,
    cores,
    isQuick,
    profiles,
    outside: undefined,
    nextNamespace: () => `b${(serial += 1)}`,
    /** What it says on stderr goes to the file, where one is given. */
    startWork: (way, options, errorFile) =>
      startProcess('../effects/work.mjs', [way, JSON.stringify({ queueUrl: store.url, ...options })], {
        cores: cores.server,
        errorFile,
      }),
    /** Where the profile of a measurement goes; nothing where none is wanted. */
    nameProfile(name) {
      if (!isProfiled) return undefined;
      folder ??= mkdtempSync(join(tmpdir(), 'aftermeet-profiles-'));
      const path = join(folder, `${storeName}-${name.replaceAll(/[^a-z0-9]+/gi, '-')}.cpuprofile`);
      if (!profiles.includes(path)) profiles.push(path);
      return path;
    },
  };
}

/**
 * One measurement of one contender in a process of its own, which is warmed in another namespace first: what was filled
 * in is worked off, and afterwards everything is there once.
 */
export async function measureDrain(bench, contender, { warm, count }) {
  const { store, outside } = bench;
  const { name, way, options, fill, effectsOfOne = 1, isCounted = true } = contender;
  await store.empty();
  const [warming, measured] = [bench.nextNamespace(), bench.nextNamespace()];
  if (fill !== undefined) {
    if (warm > 0) await outside.ask({ ...fill, namespace: warming, count: warm });
    await outside.ask({ ...fill, namespace: measured, count });
  }
  await store.settle();
  const log = options.isLogged ? openLogFile() : undefined;
  const work = await bench.startWork(way, options, log?.file);
  try {
    if (warm > 0) await work.ask({ task: 'drain', namespace: warming, total: warm * effectsOfOne });
    await outside.ask({ task: 'takeSlackCounts' });
    const storeBefore = await store.readCpuMicros();
    const total = count * effectsOfOne;
    const profilePath = bench.nameProfile(name);
    const result = await work.ask({ task: 'drain', namespace: measured, total, profilePath });
    const storeMicros = ((await store.readCpuMicros()) - storeBefore) / total;
    if (result.doubles > 0) throw new Error(`${result.doubles} effects were sent twice`);
    if (isCounted) checkCounts(await outside.ask({ task: 'countAll', namespace: measured }), total);
    if (options.slackUrl !== undefined) {
      checkPosts(await outside.ask({ task: 'takeSlackCounts' }), total);
    }
    return { ...result, storeMicros };
  } catch (error) {
    // With the log on, this is where its last words are.
    throw new Error(`${name} on ${store.name}: ${error.message}\n${log?.readEnd() ?? ''}`, { cause: error });
  } finally {
    await work.stop();
    log?.close();
  }
}

function openLogFile() {
  const folder = mkdtempSync(join(tmpdir(), 'aftermeet-bench-'));
  const path = join(folder, 'log');
  const file = openSync(path, 'w');
  return {
    file,
    readEnd: () => readFileSync(path, 'utf8').slice(-2000),
    close() {
      closeSync(file);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Nothing was lost, nothing is left. */
function checkCounts({ events, effects, ledger }, total) {
  const open = [events, effects].flatMap(({ waiting, active, delayed, failed }) => [
    waiting,
    active,
    delayed,
    failed,
  ]);
  const isDone = effects.completed === total && ledger.sent === total && open.every((count) => count === 0);
  if (isDone) return;
  throw new Error(
    `of ${total} effects: jobs ${JSON.stringify({ events, effects })}, ledger ${JSON.stringify(ledger)}`,
  );
}

function checkPosts({ posts, different }, total) {
  if (posts === total && different === total) return;
  throw new Error(`${total} messages were to be posted: ${posts} were, ${different} of them different ones`);
}

export function describeCores({ server, load }) {
  if (server.length === 0) return '  (no taskset here: nothing is pinned to a core, and they compete)';
  const others = load[0] === server[0] ? 'the same' : `core ${load}`;
  return `  (the worker on core ${server}, the store and everything else on ${others})`;
}
