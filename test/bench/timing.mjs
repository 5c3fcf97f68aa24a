// Whether the time of a refusal tells where a signature differs from the right one: refusals of signatures that differ in
// different places, timed in random order in a process of its own, compared with Welch's t.
import { createHmac, randomBytes } from 'node:crypto';

import { verifyDelivery } from '../../packages/webhooks/dist/index.js';
import { drawTable, judge, onMachine, round } from './figures.mjs';
import { startProcess } from './processes.mjs';
import { SECRET } from './receiver-load.mjs';

const usual = { checked: 4_000_000, control: 1_000_000 };
const quick = { checked: 40_000, control: 40_000 };
/** Below it a difference is not told from chance: the bound of dudect (Reparaz, Balasch, Verbauwhede 2017). */
const mostT = 4.5;
/** Parts of the times that are kept, the slowest cut off. */
const crops = [1, 0.99, 0.95, 0.9, 0.75, 0.5];

export function timing({ isQuick }) {
  const counts = isQuick ? quick : usual;
  return onMachine(async ({ measured: cores }) => {
    const timer = await startProcess('timing.mjs', 'sampler', {}, { cores });
    try {
      const checked = await timer.ask('sample', { subject: 'verifyDelivery', count: counts.checked });
      const control = await timer.ask('sample', { subject: 'earlyExit', count: counts.control });
      return present(checked, control);
    } finally {
      await timer.stop();
    }
  });
}

function present(checked, control) {
  return {
    figures: { mostT, verifyDelivery: checked, earlyExit: control },
    lines: [
      `the time of a refusal by where the signature first differs, Node ${process.versions.node}`,
      ...describeSubject('verifyDelivery', checked),
      ...describeSubject('a check that ends at the first differing byte, which must be seen', control),
      judge('verifyDelivery: largest |t|', round(checked.largestT, 2), { most: mostT }),
      judge('the other, or the method sees nothing: largest |t|', round(control.largestT, 2), {
        least: mostT,
      }),
    ],
  };
}

function describeSubject(title, { samples, classes, pairs }) {
  const means = classes.map(({ name, meanNs }) => `${name} ${round(meanNs, 1)} ns`).join(', ');
  return [
    `  ${title}: ${samples} samples, mean of the fastest 90 %: ${means}`,
    ...drawTable(
      ["  Welch's t, kept:", ...crops.map((part) => `${part * 100} %`)],
      pairs.map(({ names, t }) => [`  ${names.join(' / ')}`, ...t.map((one) => one.toFixed(2))]),
    ),
  ];
}

/** Each spoils the right MAC: from some byte on at random, or in one bit at the end. */
const classes = [
  { name: 'byte 0', spoil: (mac) => spoilFrom(mac, 0) },
  { name: 'byte 15', spoil: (mac) => spoilFrom(mac, 15) },
  { name: 'byte 31', spoil: (mac) => spoilFrom(mac, 31) },
  { name: 'last bit', spoil: (mac) => Buffer.from(mac).fill(mac[31] ^ 1, 31) },
];
const timestamp = '1783425600';
const nowSeconds = 1_783_425_600;
/** Deliveries are made anew for each block, so that where they lie in memory favours none. */
const blockSize = 8192;
const poolSize = 64;

const subjects = {
  verifyDelivery: ({ body, signature }) =>
    verifyDelivery({ body, signature, timestamp, secrets: [SECRET], nowSeconds }).ok,
  /** The mistake that constant time is there against. */
  earlyExit({ body, signature }) {
    const mac = createHmac('sha256', SECRET).update(`${timestamp}.`).update(body).digest();
    const received = Buffer.from(signature.slice('sha256='.length), 'hex');
    for (let index = 0; index < mac.length; index += 1) {
      if (mac[index] !== received[index]) return false;
    }
    return true;
  },
};

/** The process that times. */
export function sampler() {
  return { sample };
}

function sample({ subject, count }) {
  const check = subjects[subject];
  if (!check(makeDelivery((mac) => mac))) throw new Error('the right signature is refused');
  runBlocks(check, 50_000, () => {});
  const times = classes.map(() => []);
  runBlocks(check, count, (index, nanoseconds) => times[index].push(nanoseconds));
  return {
    samples: count,
    ...compareClasses(
      classes.map(({ name }) => name),
      times,
    ),
  };
}

function runBlocks(check, count, note) {
  for (let done = 0; done < count; done += blockSize) {
    // Number `index` is of class `index % 4`: two bits choose the class, the other six one of its deliveries.
    const pool = Array.from({ length: poolSize * classes.length }, (_unused, index) =>
      makeDelivery(classes[index % classes.length].spoil),
    );
    const order = randomBytes(blockSize);
    const size = Math.min(blockSize, count - done);
    for (let step = 0; step < size; step += 1) {
      const delivery = pool[order[step]];
      const startedNs = process.hrtime.bigint();
      const isGenuine = check(delivery);
      const endedNs = process.hrtime.bigint();
      if (isGenuine) throw new Error('a wrong signature is accepted');
      note(order[step] % classes.length, Number(endedNs - startedNs));
    }
  }
}

/**
 * Each has a body of its own, and with it a MAC of its own, so that the signatures of all classes look alike: with one
 * body those of `byte 31` would begin alike, and the processor would learn to read them.
 */
function makeDelivery(spoil) {
  const id = randomBytes(16).toString('hex');
  const body = Buffer.from(
    `{"event":"meeting.completed","meeting_id":"${id}","timestamp":"2026-07-07T12:00:00Z"}`,
  );
  const right = createHmac('sha256', SECRET).update(`${timestamp}.`).update(body).digest();
  // A text of its own in one piece, as the HTTP parser gives it.
  const signature = Buffer.from(`sha256=${spoil(right).toString('hex')}`, 'latin1').toString('latin1');
  return { body, signature };
}

function spoilFrom(mac, at) {
  const spoilt = Buffer.concat([mac.subarray(0, at), randomBytes(mac.length - at)]);
  // Never right by chance, and never right in this byte.
  spoilt[at] = mac[at] ^ (1 + (spoilt[at] % 255));
  return spoilt;
}

/**
 * Welch's t-test between every two classes of times, after the slowest are cut off at one bound for all of them: what a
 * machine does beside the work makes the slow ones, and would hide a difference (the pre-processing of dudect). `times` has a list of nanoseconds for each name. `pairs` have one t for each part of the times that is
 * kept.
 */
function compareClasses(names, times) {
  const all = Float64Array.from(times.flatMap((list) => list)).toSorted();
  const bounds = crops.map((part) => all[Math.ceil(all.length * part) - 1]);
  const kept = bounds.map((bound) => times.map((list) => describe(list, bound)));
  const pairs = [];
  for (let one = 0; one < names.length; one += 1) {
    for (let other = one + 1; other < names.length; other += 1) {
      pairs.push({
        names: [names[one], names[other]],
        t: kept.map((lists) => welch(lists[one], lists[other])),
      });
    }
  }
  const fastest = kept[crops.indexOf(0.9)];
  return {
    classes: names.map((name, index) => ({ name, count: times[index].length, meanNs: fastest[index].mean })),
    pairs,
    largestT: Math.max(...pairs.flatMap(({ t }) => t.map(Math.abs))),
  };
}

function describe(list, bound) {
  let count = 0;
  let mean = 0;
  let squares = 0;
  for (const value of list) {
    if (value > bound) continue;
    count += 1;
    const difference = value - mean;
    mean += difference / count;
    squares += difference * (value - mean);
  }
  return { count, mean, variance: squares / (count - 1) };
}

function welch(one, other) {
  const error = Math.sqrt(one.variance / one.count + other.variance / other.count);
  return error === 0 ? 0 : (one.mean - other.mean) / error;
}
