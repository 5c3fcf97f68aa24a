import { createSlackStandIn, type Interception } from '@aftermeet/sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { buildDigest } from '../digest.ts';
import type { Carrier, SendResult, Shipment } from '../shipment.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { renderSlackRecap } from './render-slack-recap.ts';
import { openSlack } from './send-slack-message.ts';
import type { SlackMessage } from './slack-message.ts';

const message = renderSlackRecap(buildDigest(sampleReport));
const changed = renderSlackRecap(buildDigest({ ...sampleReport, summary: 'We changed our minds.' }));
const nowMs = 1_795_000_000_000;
let time: number;
let interception: Interception;
let standIn: ReturnType<typeof createSlackStandIn>;
let slack: Carrier<SlackMessage>;
let apiUrl: string;

async function prepare(
  target = 'C0123456789',
  effectKey = 'k1',
  posted: SlackMessage = message,
): Promise<Shipment> {
  const preparation = await slack.prepare(posted, { effectKey, target });
  if (preparation.result !== 'ready') throw new Error(preparation.cause);
  return preparation.shipment;
}

function readSent(sent: SendResult): string {
  if (sent.result !== 'sent') throw new Error(sent.cause);
  return sent.reference;
}

/** What somebody else does in the workspace. */
async function callSlack(method: string, body: object, token = 'xoxb-test'): Promise<void> {
  await fetch(`${apiUrl}${method}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

beforeEach(async () => {
  interception = 'pass';
  time = nowMs;
  standIn = createSlackStandIn({
    channels: [{ id: 'C0123456789', name: 'meetings' }],
    intercept: () => interception,
    clock: () => time,
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

  it('changes what it posted, and the message keeps the key under which it was posted', async () => {
    const reference = readSent(await (await prepare()).send());
    const other = await prepare('C0123456789', 'k2', changed);
    expect(await other.update?.(reference)).toEqual({ result: 'sent', reference });
    expect(await other.update?.(reference)).toEqual({ result: 'sent', reference });
    expect(standIn.received()).toHaveLength(1);
    expect(standIn.received()[0]).toMatchObject({
      text: changed.text,
      blocks: changed.blocks,
      metadata: { event_type: 'aftermeet_effect', event_payload: { key: 'k1' } },
    });
    expect(await (await prepare()).probe(nowMs)).toEqual({ result: 'found', reference });
  });

  it('makes a change again whose answer was lost', async () => {
    const shipment = await prepare();
    const reference = readSent(await shipment.send());
    interception = 'drop_after';
    expect(await shipment.update?.(reference)).toMatchObject({ result: 'unknown' });
    interception = { status: 500, body: 'oops' };
    expect(await shipment.update?.(reference)).toEqual({ result: 'unknown', cause: 'Slack answered 500' });
    interception = { status: 429, headers: { 'retry-after': '9' } };
    expect(await shipment.update?.(reference)).toMatchObject({ result: 'rate_limited', retryAfterMs: 9000 });
    interception = 'pass';
    expect(await shipment.update?.(reference)).toEqual({ result: 'sent', reference });
  });

  it('changes a long message too, whose words in a change Slack takes fewer of', async () => {
    const reference = readSent(await (await prepare()).send());
    const summary = Array.from({ length: 600 }, (_word, at) => `слово & ${String(at)}`).join(' ');
    const long = renderSlackRecap(buildDigest({ ...sampleReport, summary }));
    const other = await prepare('C0123456789', 'k2', long);
    expect(await other.update?.(reference)).toEqual({ result: 'sent', reference });
    const [posted] = standIn.received();
    expect(posted?.blocks).toEqual(long.blocks);
    // chat.update answers msg_too_long to more, which chat.postMessage takes.
    expect(Buffer.byteLength(posted?.text ?? '')).toBeLessThanOrEqual(4000);
    expect(posted?.text).toMatch(/^Weekly sync\n[^]*слово &amp; 180[^]*…$/);
  });

  it('does not put back a message that somebody deleted', async () => {
    const shipment = await prepare();
    const reference = readSent(await shipment.send());
    await callSlack('chat.delete', { channel: 'C0123456789', ts: reference.split('/')[1] });
    expect(await shipment.update?.(reference)).toEqual({
      result: 'gone',
      cause: 'the message is not in the channel any more',
    });
  });

  it('says why a message may not be changed', async () => {
    const shipment = await prepare();
    const reference = readSent(await shipment.send());
    standIn.knobs.turn({ edit_window_minutes: 5 });
    time = nowMs + 10 * 60_000;
    expect(await shipment.update?.(reference)).toEqual({
      result: 'permanent',
      cause:
        'Slack answered edit_window_closed: the workspace does not let messages be changed any more after so long',
    });
    await callSlack('chat.postMessage', { channel: 'C0123456789', text: 'not ours' }, 'xoxb-other');
    const foreign = standIn.received().at(-1)?.ts ?? '';
    expect(await shipment.update?.(`C0123456789/${foreign}`)).toEqual({
      result: 'permanent',
      cause:
        'Slack answered cant_update_message: the message was posted by another app, so this one may not change it',
    });
    expect(await shipment.update?.('')).toEqual({
      result: 'permanent',
      cause: 'what is known of the message does not say where it is',
      contact: 'none',
    });
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
