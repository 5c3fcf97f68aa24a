// Deliveries over HTTP, one at a time: the next one only when the last one's message is in Slack.
import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

import { SECRET } from '../../receiver/deliveries.mjs';
import { readNowMs } from '../now.mjs';
import { titleOf, writeBody } from '../samples.mjs';

/** A channel takes one message a second: with this each has been idle for longer when it is its turn again. */
const channelIdleMs = 1200;

/** Resolves with three moments of each delivery: when it was sent, accepted, and posted. */
export async function deliver({ port, count, rooms, slack }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const lastMs = new Map();
  const moments = [];
  try {
    for (let index = 0; index < count; index += 1) {
      const room = index % rooms;
      // At no fixed point of whatever the worker does at intervals.
      const idleMs = (lastMs.get(room) ?? 0) + channelIdleMs - readNowMs();
      await pause(Math.max(idleMs, 5 + ((index * 37) % 40)));
      const posted = slack.nextPost().then(readNowMs);
      const sentMs = readNowMs();
      await post(agent, port, writeBody(`m_http_${index}`, titleOf(room)));
      const acceptedMs = readNowMs();
      const postedMs = await posted;
      lastMs.set(room, postedMs);
      moments.push({ sentMs, acceptedMs, postedMs });
    }
  } finally {
    agent.destroy();
  }
  return { moments };
}

function post(agent, port, body) {
  const seconds = String(Math.floor(Date.now() / 1000));
  const mac = createHmac('sha256', SECRET).update(`${seconds}.${body}`).digest('hex');
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'X-Service-Event': 'meeting.completed',
    'X-Service-Delivery': mac,
    'X-Service-Timestamp': seconds,
    'X-Service-Signature': `sha256=${mac}`,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request({
      agent,
      method: 'POST',
      host: '127.0.0.1',
      port,
      path: '/hooks/bench',
      headers,
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      response.resume();
      response.on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`the receiver answered ${response.statusCode}`));
      });
    });
    outgoing.end(body);
  });
}
