// What the parts of the receiver's benchmark have in common: the process that delivers, the cores, one measurement.
import { closeSync, openSync, readFileSync } from 'node:fs';

import { listCores } from '../cores.mjs';
import { watchNoise } from './noise.mjs';
import { startProcess } from './processes.mjs';

/** One server process on one core; what delivers, and what stores, on the others. */
export function planCores() {
  const cores = listCores();
  return { server: cores.slice(0, 1), load: cores.length > 1 ? cores.slice(1, 2) : cores };
}

/** Runs `work` beside a process that delivers; resolves with its result, and with what else the machine did. */
export async function withBench(work) {
  const cores = planCores();
  const tellNoise = watchNoise();
  const load = await startProcess('load.mjs', [], { cores: cores.load });
  let result;
  try {
    result = await work({ cores, load });
  } finally {
    await load.stop();
  }
  return { result, noise: { ...tellNoise(), cores } };
}

/**
 * One measurement of one contender, in a server process of its own: `warm` deliveries that are not counted, then
 * `count` that are. Rejects where the queue, if there is one, does not hold exactly those that were answered 200. One
 * that is answered 503, because the machine stalled for the better part of a second, is told of and counts for nothing.
 */
export async function measure(bench, contender, plan) {
  const { load, cores } = bench;
  const { name, way, options = {}, scheme = 'service', store } = contender;
  const { warm, count, connections = 64, rate } = plan;
  const errors = options.isLogged ? openSync(plan.errorPath, 'w') : undefined;
  const server = await startProcess('serve.mjs', [way, JSON.stringify(options)], {
    cores: cores.server,
    errorFile: errors,
  });
  try {
    const { port } = server.greeting;
    await load.ask({ task: 'prepare', scheme, count: warm + count });
    const warmed = readAnswers(
      warm,
      await load.ask({ task: 'closed', port, connections, from: 0, to: warm }),
    );
    const storeBefore = (await store?.readCpuMicros()) ?? 0;
    const before = await server.ask('cpu');
    const order = { port, connections, from: warm, to: warm + count, rate };
    const sent = await load.ask({ task: rate === undefined ? 'closed' : 'open', ...order });
    const after = await server.ask('cpu');
    const storeAfter = (await store?.readCpuMicros()) ?? 0;
    const { accepted, refused } = readAnswers(count, sent);
    const least = (plan.stored ?? 0) + warmed.accepted + accepted;
    const most = least + warmed.refused + refused;
    return {
      ...sent,
      perSecond: accepted / sent.seconds,
      cpuMicros: (after.micros - before.micros) / accepted,
      storeMicros: (storeAfter - storeBefore) / accepted,
      refused: warmed.refused + refused,
      stored: store === undefined ? 0 : await checkStored(server, least, most),
    };
  } catch (error) {
    // With the log on, this is where its last words are.
    const words = options.isLogged ? readFileSync(plan.errorPath, 'utf8').slice(-2000) : '';
    throw new Error(`${name}: ${error.message}\n${words}`, { cause: error });
  } finally {
    await server.stop();
    if (errors !== undefined) closeSync(errors);
  }
}

/** Each contender once a round, and never all of one together. */
export async function interleave(rounds, contenders, measureOne) {
  const results = new Map(contenders.map(({ name }) => [name, []]));
  for (let done = 0; done < rounds; done += 1) {
    for (const contender of contenders) {
      const startedMs = performance.now();
      results.get(contender.name).push(await measureOne(contender));
      const seconds = Math.round((performance.now() - startedMs) / 1000);
      process.stderr.write(`  round ${done + 1} of ${rounds}: ${contender.name} (${seconds} s)\n`);
    }
  }
  return results;
}

export function describeCores({ server, load }, stored) {
  if (server.length === 0) return '  (no taskset here: nothing is pinned to a core, and they compete)';
  const others = stored === undefined ? 'what delivers' : `what delivers and ${stored}`;
  return `  (the server on core ${server}, ${others} on ${load[0] === server[0] ? 'the same' : `core ${load}`})`;
}

/** Where what delivers has no time left, a rate is its own and not the server's. */
export function describeBusy(results) {
  const all = [...results.values()].flat();
  const busiest = Math.max(...all.map(({ busy }) => busy));
  const refused = all.reduce((sum, one) => sum + one.refused, 0);
  const verdict = busiest > 0.9 ? ': SATURATED, rates are too low and times too long' : '';
  return [
    `  what delivers was busy for at most ${Math.round(busiest * 100)} % of a measurement${verdict}`,
    ...(refused === 0 ? [] : [`  ${refused} deliveries were answered 503 and are not counted`]),
  ];
}

export function round(value, digits = 0) {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

function readAnswers(expected, { statuses }) {
  const { 200: accepted = 0, 503: refused = 0 } = statuses;
  if (accepted + refused === expected && refused < expected / 2) return { accepted, refused };
  throw new Error(`${expected} deliveries were answered ${JSON.stringify(statuses)}`);
}

/** One that was answered 503 may have been stored after all. */
async function checkStored(server, least, most) {
  const { count } = await server.ask('count');
  if (count >= least && count <= most) return count;
  throw new Error(`the queue holds ${count} jobs instead of ${least}`);
}
