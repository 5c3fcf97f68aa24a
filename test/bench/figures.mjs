// From measurements to figures and lines: rounds, medians, tables, targets, and what else the machine did meanwhile.
import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';

import { planCores, readCpuMicros } from './processes.mjs';

/** Each contender once a round, and never all of one together: results by name. */
export async function interleave(rounds, contenders, measureOne) {
  const results = new Map(contenders.map(({ name }) => [name, []]));
  for (let done = 1; done <= rounds; done += 1) {
    for (const contender of contenders) {
      const startedMs = performance.now();
      results.get(contender.name).push(await measureOne(contender));
      const seconds = Math.round((performance.now() - startedMs) / 1000);
      process.stderr.write(`  round ${done} of ${rounds}: ${contender.name} (${seconds} s)\n`);
    }
  }
  return results;
}

/**
 * Figures by contender, and the lines of their table. A column is the median of a key over the rounds with the least and
 * the most, or, with `over`, its ratio to another contender in the same round: what loads the machine loads all of a round.
 */
export function summarise(results, columns) {
  const figures = {};
  for (const [name, rounds] of results) {
    figures[name] = Object.fromEntries(
      columns.map(({ key, digits = 1, over }) => {
        const reference = over === undefined ? undefined : results.get(over);
        const values = rounds.map((one, index) => one[key] / (reference?.[index][key] ?? 1));
        return [over === undefined ? key : `${key}Times`, spread(values, digits)];
      }),
    );
  }
  const rows = Object.entries(figures).map(([name, row]) => [
    name,
    ...Object.values(row).map((value, at) => formatSpread(value, columns[at].digits ?? 1)),
  ]);
  return { figures, lines: drawTable(['', ...columns.map(({ title }) => title)], rows) };
}

/** The median of some rounds with the least and the most of them: the noise that was seen. */
function spread(values, digits = 1) {
  const keep = (value) => round(value, digits);
  return { median: keep(median(values)), least: keep(Math.min(...values)), most: keep(Math.max(...values)) };
}

function formatSpread({ median: middle, least, most }, digits) {
  const range = least === most ? '' : ` (${least.toFixed(digits)}..${most.toFixed(digits)})`;
  return `${middle.toFixed(digits)}${range}`;
}

/** Lines with the first column to the left and the others to the right. */
export function drawTable(titles, rows) {
  const all = [titles, ...rows].map((row) => row.map(String));
  const widths = titles.map((_title, at) => Math.max(...all.map((row) => row[at].length)));
  return all.map((row) => {
    const cells = row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at])));
    return `  ${cells.join('   ')}`.trimEnd();
  });
}

/** A line for a figure that has a target: `most` or `least`. */
export function judge(title, value, { most, least, unit = '' }) {
  const isMet = most === undefined ? value >= least : value <= most;
  const target = `${most === undefined ? '≥' : '≤'} ${most ?? least}${unit}`;
  return `  ${title}: ${value}${unit}   target ${target}: ${isMet ? 'met' : 'MISSED'}`;
}

/** The middle one; of an even number the upper of the two. */
export function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
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
  const before = { busy: readBusyMicros(), own: readCpuMicros([process.pid]), ms: performance.now() };
  const { figures, lines } = await work(cores);
  const others = readBusyMicros() - before.busy - (readCpuMicros([process.pid]) - before.own);
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
