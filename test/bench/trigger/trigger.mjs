// What the n8n trigger itself does for one delivery, without n8n: from the request, whose bytes n8n has read, to what it returns, and
// what it remembers in the execution.
// Beside it the check of the signature alone, and the HMAC alone, over the same bytes.
import { createHmac } from 'node:crypto';

import { signDelivery, verifyDelivery } from '../../../packages/webhooks/dist/index.js';
import { judge } from '../judge.mjs';
import { median } from '../median.mjs';
import { openTrigger } from './open-trigger.mjs';

const usual = { rounds: 5, warm: 2000, count: 5000 };
const quick = { rounds: 1, warm: 500, count: 200 };
const targetMicros = 200;
const secret = 'p7wq-Zk42-mD9x-Lr61';

const floor = 'hmac';
const contenders = [
  { way: floor, title: 'bare HMAC-SHA256' },
  { way: 'verify', title: 'verifyDelivery' },
  { way: 'refused', title: 'trigger, wrong signature (401)', hasTarget: true },
  { way: 'duplicate', title: 'trigger, known already', hasTarget: true },
  { way: 'accepted', title: 'trigger, to the returned item', hasTarget: true },
];

export async function run({ isQuick }) {
  const { rounds, warm, count } = isQuick ? quick : usual;
  const results = new Map(contenders.map(({ way }) => [way, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const { way } of contenders) {
      await measure(way, warm);
      results.get(way).push(...(await measure(way, count)));
    }
  }
  return present(results, { rounds, count });
}

/** Microseconds of each delivery. Each is another meeting's, signed before the clock runs. */
async function measure(way, count) {
  const deliveries = Array.from({ length: count }, (_, index) => deliver(way === 'duplicate' ? 0 : index));
  const use = openWay(way);
  if (way === 'duplicate') await use(deliveries[0]);
  const samples = [];
  for (const delivery of deliveries) {
    const startedMs = performance.now();
    const result = await use(delivery);
    samples.push((performance.now() - startedMs) * 1000);
    check(way, result);
  }
  return samples;
}

function openWay(way) {
  if (way === floor) {
    return ({ body, timestamp }) =>
      createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  }
  if (way === 'verify') {
    return (delivery) => verifyDelivery({ ...delivery, secrets: [secret], nowSeconds: Date.now() / 1000 });
  }
  const receive = openTrigger(secret);
  if (way !== 'refused') return receive;
  return (delivery) => receive({ ...delivery, signature: `sha256=${'0'.repeat(64)}` });
}

/** A figure of something that did not happen would be worth nothing. */
function check(way, result) {
  const word = result?.webhookResponse?.status;
  const isRight = {
    hmac: result.length === 64,
    verify: result.ok === true,
    refused: result.noWebhookResponse === true,
    duplicate: word === 'duplicate',
    accepted: word === 'accepted' && result.workflowData?.[0]?.[0]?.json.event === 'meeting.completed',
  };
  if (!isRight[way]) throw new Error(`the trigger bench: ${way} is not what came about`);
}

function deliver(index) {
  const body = Buffer.from(
    JSON.stringify({
      event: 'meeting.completed',
      meeting_id: `m_${index}`,
      timestamp: '2026-07-07T12:00:00Z',
      data: {
        title: 'Weekly sales',
        is_transcript_empty: false,
        report_url: `https://service.example.com/api/video/report?meeting_id=m_${index}`,
      },
    }),
  );
  return { body, ...signDelivery({ secret, timestampSeconds: Math.floor(Date.now() / 1000), body }) };
}

function present(results, { rounds, count }) {
  const figures = { targetMicros };
  const floorMicros = median(results.get(floor));
  const verifyMicros = median(results.get('verify'));
  const lines = [
    `the n8n trigger without n8n, a delivery of ${deliver(1).body.length} bytes with 1,000 known ones, ${rounds} rounds of ${count}, Node ${process.versions.node}`,
    `  ${''.padEnd(34)} median µs   p95 µs   × HMAC   × verify`,
  ];
  for (const { way, title, hasTarget = false } of contenders) {
    const samples = results.get(way);
    const row = {
      medianMicros: round1(median(samples)),
      p95Micros: round1(percentile(samples, 0.95)),
      timesHmac: round1(median(samples) / floorMicros),
      timesVerify: round1(median(samples) / verifyMicros),
    };
    figures[way] = row;
    const columns = [
      row.medianMicros.toFixed(1).padStart(9),
      row.p95Micros.toFixed(1).padStart(8),
      row.timesHmac.toFixed(1).padStart(8),
      row.timesVerify.toFixed(1).padStart(9),
    ].join(' ');
    const verdict = judge(row.p95Micros <= targetMicros, `p95 ≤ ${targetMicros} µs`);
    lines.push(`  ${title.padEnd(34)} ${columns}${hasTarget ? verdict : ''}`);
  }
  return { figures, lines };
}

function percentile(numbers, share) {
  return numbers.toSorted((one, other) => one - other)[Math.ceil(numbers.length * share) - 1];
}

function round1(value) {
  return Math.round(value * 10) / 10;
}
