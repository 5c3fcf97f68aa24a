// Times refusals of signatures that differ from the right one in different places, in random order, and compares the
// places with Welch's t. Asked over IPC for a subject and a number of samples.
import { createHmac, randomBytes } from 'node:crypto';

import { verifyDelivery } from '../../../../packages/webhooks/dist/index.js';
import { SECRET } from '../deliveries.mjs';
import { compareClasses } from './welch.mjs';

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
  'verify-delivery': ({ body, signature }) =>
    verifyDelivery({ body, signature, timestamp, secrets: [SECRET], nowSeconds }).ok,
  /** The mistake that constant time is there against. */
  'early-exit'({ body, signature }) {
    const mac = createHmac('sha256', SECRET).update(`${timestamp}.`).update(body).digest();
    const received = Buffer.from(signature.slice('sha256='.length), 'hex');
    for (let index = 0; index < mac.length; index += 1) {
      if (mac[index] !== received[index]) return false;
    }
    return true;
  },
};

function sample(subject, count) {
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

process.on('message', ({ subject, count }) => process.send(sample(subject, count)));
process.on('disconnect', () => process.exit());
process.send({ ready: true });
