// Whether the time of a refusal tells where a signature differs from the right one: refusals of signatures that differ in
// different places, timed in random order in a process of its own, compared with Welch's t.
import { createHmac, randomBytes } from 'node:crypto';

import { verifyDelivery } from '../../packages/webhooks/dist/index.js';
import { SECRET } from '../harness/outages/load.mjs';
import { judge, onMachine, round } from './figures.mjs';
import { withProcess } from './processes.mjs';

const usual = { checked: 4_000_000, control: 1_000_000 };
const quick = { checked: 40_000, control: 40_000 };
/** A difference is told from chance above 4.5: the bound of dudect (Reparaz, Balasch, Verbauwhede 2017). */
const isChance = '≤ 4.5';
const isSeen = '≥ 4.5';
/** Parts of the times that are kept, the slowest cut off. */
const crops = [1, 0.99, 0.95, 0.9, 0.75, 0.5];

export function timing({ isQuick }) {
  const counts = isQuick ? quick : usual;
  return onMachine(({ measured: cores }) =>
    withProcess(['timing.mjs', 'sampler'], cores, async ({ ask }) => {
      const checked = await ask('sample', { subject: 'verifyDelivery', count: counts.checked });
      const control = await ask('sample', { subject: 'earlyExit', count: counts.control });
      return {
        figures: { verifyDelivery: checked, earlyExit: control },
        lines: [
          `the time of a refusal by where the signature first differs, Node ${process.versions.node}`,
          describeSubject('verifyDelivery', checked),
          describeSubject('a check that ends at the first differing byte, which must be seen', control),
          judge('verifyDelivery: largest |t|', round(checked.largestT, 2), isChance),
          judge('the other, or the method sees nothing: largest |t|', round(control.largestT, 2), isSeen),
        ],
      };
    }),
  );
}

function describeSubject(title, { samples, classes: measured }) {
  const means = measured.map(({ name, meanNs }) => `${name} ${round(meanNs, 1)} ns`).join(', ');
  return `  ${title}: ${samples} samples, mean of the fastest 90 %: ${means}`;
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
  return { samples: count, ...compareClasses(times) };
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
 * machine does beside the work makes the slow ones, and would hide a difference (the pre-processing of dudect).
 */
function compareClasses(times) {
  const all = Float64Array.from(times.flat()).toSorted();
  const kept = crops.map((part) => {
    const bound = all[Math.ceil(all.length * part) - 1];
    return times.map((list) => describe(list, bound));
  });
  const pairs = classes.flatMap((one, at) =>
    classes.slice(at + 1).map((other, after) => ({
      names: [one.name, other.name],
      t: kept.map((lists) => welch(lists[at], lists[at + 1 + after])),
    })),
  );
  const fastest = kept[crops.indexOf(0.9)];
  return {
    classes: classes.map(({ name }, index) => ({ name, meanNs: fastest[index].mean })),
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
