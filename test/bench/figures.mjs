// From measurements to figures and lines: rounds, medians, tables, targets, and what else the machine did meanwhile.
import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';

import { drawTable } from '../harness/report.mjs';
import { planCores, readCpuMicros } from './processes.mjs';

/** Each contender once a round, and never all of one together: results by name. */
export async function interleave(rounds, contenders, measureOne) {
  const results = new Map(contenders.map(({ name }) => [name, []]));
  for (let done = 1; done <= rounds; done += 1) {
    for (const contender of contenders) {
      const { name } = contender;
      const startedMs = performance.now();
      try {
        results.get(name).push(await measureOne(contender));
      } catch (error) {
        throw new Error(`${name}: ${error.message}`, { cause: error });
      }
      const seconds = Math.round((performance.now() - startedMs) / 1000);
      process.stderr.write(`  round ${done} of ${rounds}: ${name} (${seconds} s)\n`);
    }
  }
  return results;
}

/**
 * Figures by contender, and the lines of their table. A column is a title, the key of a result, and how many digits count:
 * the median over the rounds with the least and the most. With the name of another contender it is the ratio to that one
 * in the same round: what loads the machine loads all of a round.
 */
export function summarise(results, columns) {
  const figures = {};
  const rows = [];
  for (const [name, rounds] of results) {
    figures[name] = {};
    const cells = columns.map(([_title, key, digits, over]) => {
      const values = rounds.map((one, index) => one[key] / (results.get(over)?.[index][key] ?? 1));
      const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)];
      figures[name][over === undefined ? key : `${key}Times`] = {
        median: round(middle, digits),
        least: round(least, digits),
        most: round(most, digits),
      };
      const range = least === most ? '' : ` (${least.toFixed(digits)}..${most.toFixed(digits)})`;
      return `${middle.toFixed(digits)}${range}`;
    });
    rows.push([name, ...cells]);
  }
  return { figures, lines: drawTable(['', ...columns.map(([title]) => title)], rows) };
}

/** A line for a figure that has a target, such as `≤ 50 ms`. */
export function judge(title, value, target) {
  const [, sign, bound, unit = ''] = /^([≤≥]) (\S+)( .+)?$/.exec(target);
  const isMet = sign === '≤' ? value <= Number(bound) : value >= Number(bound);
  return `  ${title}: ${value}${unit}   target ${target}: ${isMet ? 'met' : 'MISSED'}`;
}

/** The end of a title. */
export function describeRounds({ rounds }) {
  return `median of ${rounds} interleaved rounds (min..max), Node ${process.versions.node}`;
}

/** The middle one; of an even number the upper of the two. */
export function median(numbers) {
  return percentile(numbers, 0.5);
}

export function percentile(numbers, part) {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

/** The middle, the hundredth and the longest of some times in milliseconds. */
export function describeTimes(timesMs) {
  const at = (part) => percentile(timesMs, part);
  return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}

export function round(value, digits = 0) {
  return Number(value.toFixed(digits));
}

/** Runs `work` with cores; adds what else the machine did: a figure from a busy one is no figure. */
export async function onMachine(work) {
  const cores = planCores();
  const [loadBefore] = loadavg();
  const before = { busy: readBusyMicros(), own: readCpuMicros(process.pid), ms: performance.now() };
  const { figures, lines } = await work(cores);
  const others = readBusyMicros() - before.busy - (readCpuMicros(process.pid) - before.own);
  const available = (performance.now() - before.ms) * 1000 * availableParallelism();
  const othersPercent = Math.max(0, Math.round((others / available) * 100));
  const noise = { cores, loadBefore: round(loadBefore, 2), loadAfter: round(loadavg()[0], 2), othersPercent };
  return { figures: { noise, ...figures }, lines: [...lines, describeNoise(noise)] };
}

function describeNoise({ cores: { measured, others }, loadBefore, loadAfter, othersPercent }) {
  const pinned =
    measured.length === 0
      ? 'no taskset here: nothing is pinned to a core'
      : `measured on core ${measured}, everything else on ${others[0] === measured[0] ? 'the same' : others}`;
  const verdict = othersPercent > 10 ? ': TOO MUCH, measure again on a quiet machine' : '';
  return `  ${pinned}; load average ${loadBefore} before, ${loadAfter} at the end; other programs used ${othersPercent} %${verdict}`;
}

/** All that the machine did, the waiting left out. */
function readBusyMicros() {
  try {
    const [, fields] = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'));
    // user, nice, system; then idle and iowait; then irq and softirq.
    const ticks = fields.split(' ').map(Number);
    return (ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6]) * 10_000;
  } catch {
    // Not Linux: nothing is said of others.
    return 0;
  }
}
