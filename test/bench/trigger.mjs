// What the n8n trigger itself does for one delivery, without n8n: from the request, whose bytes n8n has read, to what it returns, and
// what it remembers in the execution.
// Beside it the check of the signature alone, and the HMAC alone, over the same bytes.
import { createHmac } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';

import { signDelivery, verifyDelivery } from '../../packages/webhooks/dist/index.js';
import { drawTable, judge, median, percentile, round } from './figures.mjs';

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

export async function trigger({ isQuick }) {
  const { rounds, warm, count } = isQuick ? quick : usual;
  const results = new Map(contenders.map(({ way }) => [way, []]));
  for (let done = 0; done < rounds; done += 1) {
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
  const medianOf = (way) => median(results.get(way));
  const figures = {};
  for (const { way } of contenders) {
    figures[way] = {
      medianMicros: round(medianOf(way), 1),
      p95Micros: round(percentile(results.get(way), 0.95), 1),
      timesHmac: round(medianOf(way) / medianOf(floor), 1),
      timesVerify: round(medianOf(way) / medianOf('verify'), 1),
    };
  }
  const targets = contenders.filter(({ hasTarget }) => hasTarget);
  const title = `the n8n trigger without n8n, a delivery of ${deliver(1).body.length} bytes with 1,000 known ones`;
  return {
    figures,
    lines: [
      `${title}, ${rounds} rounds of ${count}, Node ${process.versions.node}`,
      ...drawTable(
        ['', 'median µs', 'p95 µs', '× HMAC', '× verify'],
        contenders.map(({ way, title: name }) => [name, ...Object.values(figures[way])]),
      ),
      ...targets.map(({ way, title: name }) =>
        judge(`${name}, p95`, figures[way].p95Micros, { most: targetMicros, unit: ' µs' }),
      ),
    ],
  };
}

const require = createRequire(import.meta.url);
const parameters = {
  events: ['meeting.completed', 'meeting.failed'],
  filters: { title: 'sales' },
  fetchReport: false,
};

/** The built trigger with what n8n would hand it, as little as there can be. As many deliveries are known already as it remembers. */
function openTrigger(webhookSecret) {
  const { AftermeetTrigger } = require('../../nodes/dist/nodes/AftermeetTrigger/AftermeetTrigger.node.js');
  const built = new AftermeetTrigger();
  const known = Array.from({ length: 1000 }, (_, index) => String(index).padStart(22, 'k'));
  const staticData = { deliveries: known.join(' ') };
  const node = { id: 'n', name: 'Aftermeet Trigger', type: 'aftermeetTrigger', typeVersion: 1 };
  return async ({ body, signature, timestamp }) => {
    const response = new Response();
    const headersDistinct = {
      'content-type': ['application/json'],
      'x-service-event': ['meeting.completed'],
      'x-service-delivery': ['d_1'],
      'x-service-signature': [signature],
      'x-service-timestamp': [timestamp],
    };
    const result = await built.webhook.call({
      getRequestObject: () => ({ rawBody: body, headersDistinct }),
      getResponseObject: () => response,
      getNodeParameter: (name, fallback) => parameters[name] ?? fallback,
      getCredentials: async () => ({ signedBy: 'service', webhookSecret }),
      getWorkflowStaticData: () => staticData,
      getWorkflow: () => ({ id: 'w' }),
      getNode: () => node,
      getMode: () => 'webhook',
      logger: { warn() {}, error() {} },
    });
    // n8n has stored the execution and answers; the execution begins with the trigger itself.
    response.finish();
    const [[item] = []] = result.workflowData ?? [];
    if (item === undefined) return result;
    await built.execute.call({
      getInputData: () => [item],
      getWorkflowStaticData: () => staticData,
      getWorkflow: () => ({ id: 'w' }),
      getNode: () => node,
      getMode: () => 'webhook',
    });
    return result;
  };
}

class Response extends EventEmitter {
  destroyed = false;
  writableFinished = false;
  statusCode = 200;

  status(code) {
    this.statusCode = code;
    return this;
  }

  json() {}

  finish() {
    this.writableFinished = true;
    this.destroyed = true;
    this.emit('close');
  }
}
