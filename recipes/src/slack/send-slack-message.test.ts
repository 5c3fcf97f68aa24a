import { createSlackStandIn, type Interception } from '@aftermeet/sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { buildDigest } from '../digest.ts';
import type { Carrier, Shipment } from '../shipment.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { renderSlackRecap } from './render-slack-recap.ts';
import { openSlack } from './send-slack-message.ts';
import type { SlackMessage } from './slack-message.ts';

const message = renderSlackRecap(buildDigest(sampleReport));
const nowMs = 1_795_000_000_000;
let interception: Interception;
let standIn: ReturnType<typeof createSlackStandIn>;
let slack: Carrier<SlackMessage>;
let apiUrl: string;

async function prepare(target = 'C0123456789', effectKey = 'k1'): Promise<Shipment> {
  const preparation = await slack.prepare(message, { effectKey, target });
  if (preparation.result !== 'ready') throw new Error(preparation.cause);
  return preparation.shipment;
}

beforeEach(async () => {
  interception = 'pass';
  standIn = createSlackStandIn({
    channels: [{ id: 'C0123456789', name: 'meetings' }],
    intercept: () => interception,
    clock: () => nowMs,
  });
  apiUrl = `${(await standIn.listen()).url}/api/`;
  slack = openSlack({ token: 'xoxb-test', apiUrl, channel: 'C0123456789' });
});
afterEach(async () => {
  await slack.close();
  await standIn.close();
});

describe('openSlack', () => {
  it('posts the message with the key of its effect and says where it is', async () => {
    const sent = await (await prepare()).send();
    const posted = standIn.received()[0];
    expect(sent).toEqual({ result: 'sent', reference: `C0123456789/${posted?.ts ?? ''}` });
    expect(posted?.metadata).toEqual({ event_type: 'aftermeet_effect', event_payload: { key: 'k1' } });
    expect(posted?.text).toBe(message.text);
    expect(posted?.blocks).toEqual(message.blocks);
  });

  it('does not repeat a post whose answer was lost, and finds it afterwards', async () => {
    const shipment = await prepare();
    interception = 'drop_after';
    expect(await shipment.send()).toMatchObject({ result: 'unknown' });
    interception = 'pass';
    expect(standIn.received()).toHaveLength(1);
    expect(await shipment.probe(nowMs)).toEqual({
      result: 'found',
      reference: `C0123456789/${standIn.received()[0]?.ts ?? ''}`,
    });
  });

  it('does not wait longer than its time, and finds out afterwards', async () => {
    slack = openSlack({ token: 'xoxb-test', apiUrl, channel: 'C0123456789' }, 200);
    const shipment = await prepare();
    interception = 'hang';
    expect(await shipment.send()).toMatchObject({ result: 'unknown' });
    expect(await shipment.probe(nowMs)).toMatchObject({ result: 'not_asked' });
    interception = 'pass';
    expect(await shipment.probe(nowMs)).toEqual({ result: 'absent' });
  });

  it('does not repeat a post after 500, and finds that it is not there', async () => {
    const shipment = await prepare();
    interception = { status: 500, body: 'oops' };
    expect(await shipment.send()).toEqual({ result: 'unknown', cause: 'Slack answered 500' });
    interception = 'pass';
    expect(await shipment.probe(nowMs)).toEqual({ result: 'absent' });
    expect(standIn.received()).toHaveLength(0);
  });

  it('tells the message of another effect from its own', async () => {
    await (await prepare('C0123456789', 'k2')).send();
    expect(await (await prepare()).probe(nowMs)).toEqual({ result: 'absent' });
  });

  it('finds a message behind a page of others', async () => {
    const shipment = await prepare();
    await shipment.send();
    for (let count = 0; count < 230; count += 1) {
      await fetch(`${apiUrl}chat.postMessage`, {
        method: 'POST',
        headers: { authorization: 'Bearer xoxb-test', 'content-type': 'application/json' },
        body: JSON.stringify({ channel: 'C0123456789', text: 'chat' }),
      });
    }
    expect(await shipment.probe(nowMs)).toMatchObject({ result: 'found' });
  });

  it('passes a 429 on at once, with its time', async () => {
    const shipment = await prepare();
    interception = { status: 429, headers: { 'retry-after': '9' } };
    expect(await shipment.send()).toMatchObject({ result: 'rate_limited', retryAfterMs: 9000 });
    expect(await shipment.probe(nowMs)).toEqual({
      result: 'rate_limited',
      retryAfterMs: 9000,
      cause: 'whether the message was posted could not be looked up: Slack limits the rate (429)',
    });
  });

  it('is permanent about a channel that is not there, and cannot look into it either', async () => {
    const shipment = await prepare('C0000000000');
    expect(await shipment.send()).toMatchObject({ result: 'permanent' });
    expect(await shipment.probe(nowMs)).toMatchObject({ result: 'impossible' });
  });

  it('is sure that nothing was sent when Slack cannot be reached', async () => {
    const shipment = await prepare();
    await standIn.close();
    expect(await shipment.send()).toEqual({
      result: 'not_sent_retry',
      cause: 'Slack cannot be reached (ECONNREFUSED)',
    });
  });
});
