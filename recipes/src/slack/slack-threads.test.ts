import { createServer } from 'node:http';

import { ServiceError } from '@aftermeet/client';
import {
  createSlackStandIn,
  type InterceptedRequest,
  type Interception,
  type SlackStandIn,
} from '@aftermeet/sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { buildDigest } from '../digest.ts';
import type { ServiceActions } from '../open-carriers.ts';
import type { Carrier, SendResult, Shipment, ShipmentLabel } from '../shipment.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { layOutSlackRecap } from './render-slack-recap.ts';
import { openSlack } from './send-slack-message.ts';
import type { SlackMessage } from './slack-message.ts';

const channel = 'C0123456789';
const nowMs = 1_795_000_000_000;
const effectKey = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
const file: SlackMessage = {
  text: 'Weekly sync (pdf)',
  blocks: [],
  file: { meetingId: 'm_1', format: 'pdf', name: 'Weekly sync: Q3/Q4', edition: 'e1' },
};
let rule: (request: InterceptedRequest) => Interception;
let standIn: SlackStandIn;
let slack: Carrier<SlackMessage>;
let exported: string[];
let content: Uint8Array;
/** What the service says in place of the file. */
let refusal: ServiceError | undefined;
let pages: readonly SlackMessage[];

beforeEach(async () => {
  rule = () => 'pass';
  exported = [];
  refusal = undefined;
  content = new TextEncoder().encode('%PDF-1.7');
  standIn = createSlackStandIn({ intercept: (request) => rule(request), clock: () => nowMs });
  const apiUrl = `${(await standIn.listen()).url}/api/`;
  const service = {
    exports: {
      stream: async ({ format = '' }: { readonly format?: string }) => {
        exported.push(format);
        if (refusal !== undefined) throw refusal;
        return { stream: new Blob([new Uint8Array(content)]).stream(), filename: 'x.pdf' };
      },
    },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rest of the service is not asked here
  } as unknown as ServiceActions;
  slack = openSlack({ token: 'xoxb-test', apiUrl, channel }, undefined, service, () => nowMs);
  pages = layOutSlackRecap({ ...buildDigest(sampleReport) }, { maxTasks: 1 });
});
afterEach(async () => {
  await slack.close();
  await standIn.close();
});

async function prepare(
  message: SlackMessage | undefined,
  label: Partial<ShipmentLabel> = {},
): Promise<Shipment> {
  if (message === undefined) throw new Error('there is no such message');
  const preparation = await slack.prepare(message, { effectKey, target: channel, ...label });
  if (preparation.result !== 'ready') throw new Error(preparation.cause);
  return preparation.shipment;
}

function readSent(sent: SendResult): string {
  if (sent.result !== 'sent') throw new Error(sent.cause);
  return sent.reference;
}

async function sendParent(): Promise<string> {
  return readSent(await (await prepare(pages[0], { effectKey: 'parent' })).send());
}

/** What goes wrong with the first call of a method. */
function once(method: string, interception: Interception): void {
  let isOver = false;
  rule = ({ path }) => {
    if (isOver || !path.endsWith(method)) return 'pass';
    isOver = true;
    return interception;
  };
}

describe('a reply', () => {
  it('goes into the thread of its first part, quietly', async () => {
    const parent = await sendParent();
    const reference = readSent(await (await prepare(pages[1], { parent })).send());
    const reply = standIn.received()[1];
    expect(reference).toBe(`${channel}/${reply?.ts ?? ''}`);
    expect(reply).toMatchObject({
      threadTs: parent.split('/')[1],
      metadata: { event_type: 'aftermeet_effect', event_payload: { key: effectKey } },
      wishes: { unfurl_links: false, unfurl_media: false },
    });
    expect(reply).not.toHaveProperty('isBroadcast');
  });

  it('is found in its thread when its answer was lost, and is posted once', async () => {
    const parent = await sendParent();
    const shipment = await prepare(pages[1], { parent });
    once('chat.postMessage', 'drop_after');
    expect(await shipment.send()).toMatchObject({ result: 'unknown' });
    const again = await prepare(pages[1], { parent });
    expect(await again.probe(nowMs)).toEqual({
      result: 'found',
      reference: `${channel}/${standIn.received()[1]?.ts ?? ''}`,
    });
    expect(standIn.received()).toHaveLength(2);
    const other = await prepare(pages[1], { parent, effectKey: 'k2' });
    expect(await other.probe(nowMs)).toEqual({ result: 'absent' });
  });

  it('is changed where it is', async () => {
    const parent = await sendParent();
    const reference = readSent(await (await prepare(pages[1], { parent })).send());
    const changed = await prepare(pages[0], { parent, effectKey: 'k2' });
    expect(await changed.update?.(reference)).toEqual({ result: 'sent', reference });
    expect(standIn.received()[1]).toMatchObject({ text: pages[0]?.text, threadTs: parent.split('/')[1] });
  });

  it('that its recap has no more is emptied with the change of the first part', async () => {
    const parent = await sendParent();
    await (await prepare(pages[1], { parent })).send();
    await (await prepare(file, { parent })).send();
    const [shorter] = layOutSlackRecap(buildDigest(sampleReport), { sections: 'none' });
    const change = await prepare(shorter, { effectKey: 'k2' });
    expect(await change.update?.(parent)).toEqual({ result: 'sent', reference: parent });
    expect(await change.update?.(parent)).toEqual({ result: 'sent', reference: parent });
    const [first, reply, shared] = standIn.received();
    expect(first?.text).toBe(shorter.text);
    expect(reply?.text).toBe('This part is not in the report any more.');
    expect(shared?.files).toHaveLength(1);
    // What can not be tidied up is no failure.
    rule = ({ path }) => (path.endsWith('conversations.replies') ? { status: 500 } : 'pass');
    expect(await change.update?.(parent)).toEqual({ result: 'sent', reference: parent });
  });

  it('that was emptied says again what it said, however often Slack has to be asked', async () => {
    const parent = await sendParent();
    await (await prepare(pages[1], { parent })).send();
    const [shorter] = layOutSlackRecap(buildDigest(sampleReport), { sections: 'none' });
    await (await prepare(shorter, { effectKey: 'k2' })).update?.(parent);
    expect(standIn.received()[1]?.text).toBe('This part is not in the report any more.');
    const again = await prepare(pages[0], { effectKey: 'k3' });
    once('conversations.replies', { status: 500 });
    expect(await again.update?.(parent)).toMatchObject({ result: 'unknown' });
    once('conversations.replies', { status: 429, headers: { 'Retry-After': '7' } });
    expect(await again.update?.(parent)).toMatchObject({ result: 'rate_limited', retryAfterMs: 7000 });
    expect(standIn.received()[1]?.text).toBe('This part is not in the report any more.');
    expect(await again.update?.(parent)).toEqual({ result: 'sent', reference: parent });
    expect(standIn.received()[1]).toMatchObject({
      text: pages[1]?.text,
      metadata: { event_payload: { key: effectKey, reply: 1 } },
    });
    // Where the app may not look, the message itself is changed all the same.
    standIn.knobs.turn({ scopes: ['chat:write'] });
    expect(await again.update?.(parent)).toEqual({ result: 'sent', reference: parent });
  });

  it('is refused where its first part is gone', async () => {
    const shipment = await prepare(pages[1], { parent: `${channel}/1795000000.999999` });
    expect(await shipment.send()).toEqual({
      result: 'permanent',
      cause: 'Slack answered thread_not_found: the message that it belongs to is not there any more',
    });
  });
});

describe('a file', () => {
  it('is exported, uploaded and shared in the thread', async () => {
    const parent = await sendParent();
    const reference = readSent(await (await prepare(file, { parent })).send());
    const [shared] = standIn.received()[1]?.files ?? [];
    expect(shared).toMatchObject({ name: 'Weekly-sync-Q3-Q4-a1b2c3d4e5f6.pdf', title: 'Weekly sync: Q3/Q4' });
    expect(reference).toBe(`${channel}/${shared?.id ?? ''}`);
    expect(standIn.readFile(shared?.id ?? '')?.toString()).toBe('%PDF-1.7');
    expect(standIn.received()[1]?.threadTs).toBe(parent.split('/')[1]);
    expect(exported).toEqual(['pdf']);
  });

  it('is shared once when the last answer was lost', async () => {
    const parent = await sendParent();
    const shipment = await prepare(file, { parent });
    once('files.completeUploadExternal', 'drop_after');
    expect(await shipment.send()).toMatchObject({ result: 'unknown' });
    const again = await prepare(file, { parent });
    const [shared] = standIn.received()[1]?.files ?? [];
    expect(await again.probe(nowMs)).toEqual({
      result: 'found',
      reference: `${channel}/${shared?.id ?? ''}`,
    });
    expect(standIn.received()).toHaveLength(2);
  });

  it('that was not shared is not there, and goes once more', async () => {
    const parent = await sendParent();
    const shipment = await prepare(file, { parent });
    once('files.completeUploadExternal', { status: 502 });
    expect(await shipment.send()).toMatchObject({ result: 'unknown' });
    expect(await shipment.probe(nowMs)).toEqual({ result: 'absent' });
    expect(await shipment.send()).toMatchObject({ result: 'sent' });
    expect(standIn.received()).toHaveLength(2);
  });

  it.each(['drop_after', { status: 200, body: '<html>' }, { status: 503 }] as const)(
    'is surely not posted when its announcement ends with %j',
    async (fault) => {
      const parent = await sendParent();
      once('files.getUploadURLExternal', fault);
      expect(await (await prepare(file, { parent })).send()).toMatchObject({ result: 'not_sent_retry' });
      expect(standIn.received()).toHaveLength(1);
    },
  );

  it.each([0, 408, 429, 503])(
    'is surely not posted when its upload ends with %i, and goes once more',
    async (status) => {
      const parent = await sendParent();
      const shipment = await prepare(file, { parent });
      // Answers so, or takes all of it and hangs up.
      const announced: unknown[] = [];
      const broken = createServer((request, response) => {
        announced.push(request.headers['content-length']);
        request.resume().on('end', () => {
          if (status === 0) request.socket.destroy();
          else response.writeHead(status).end();
        });
      });
      await new Promise<void>((resolve) => {
        broken.listen(0, '127.0.0.1', resolve);
      });
      const address = broken.address();
      if (address === null || typeof address === 'string') throw new Error('it does not listen');
      const upload_url = `http://127.0.0.1:${String(address.port)}/`;
      once('files.getUploadURLExternal', { status: 200, body: { ok: true, upload_url, file_id: 'F0' } });
      const sent = await shipment.send();
      broken.close();
      expect(announced).toEqual(['8']);
      expect(sent).toMatchObject({ result: 'not_sent_retry' });
      expect(await shipment.probe(nowMs)).toEqual({ result: 'absent' });
      expect(await shipment.send()).toMatchObject({ result: 'sent' });
      expect(standIn.received()).toHaveLength(2);
    },
  );

  it('of a report that was made again stands beside the first one, once', async () => {
    const parent = await sendParent();
    const reference = readSent(await (await prepare(file, { parent })).send());
    const other = await prepare({ ...file, text: 'new' }, { parent, effectKey: 'ffffffffffffffff' });
    once('files.completeUploadExternal', 'drop_after');
    expect(await other.update?.(reference)).toMatchObject({ result: 'unknown' });
    expect(await other.update?.(reference)).toMatchObject({ result: 'sent' });
    expect(standIn.received().flatMap(({ files = [] }) => files.map(({ name }) => name))).toEqual([
      'Weekly-sync-Q3-Q4-a1b2c3d4e5f6.pdf',
      'Weekly-sync-Q3-Q4-ffffffffffff.pdf',
    ]);
  });

  it.each([
    ['forbidden', 403, 'permanent', 'forbidden (403); the plan or the rights of the API key do not allow it'],
    ['not_found', 404, 'permanent', 'not_found (404)'],
    ['unauthorized', 401, 'not_sent_retry', 'unauthorized (401); the service refused the API key'],
    // It is the service that is to be left alone, not the channel.
    ['rate_limited', 429, 'not_sent_retry', 'rate_limited (429)'],
    ['not_ready', 202, 'not_sent_retry', 'not_ready (202)'],
  ] as const)('that the service does not hand out (%s) is not sent', async (code, status, result, why) => {
    refusal = new ServiceError({ code, status, doing: 'exports.download', retryAfterMs: 60_000 });
    const parent = await sendParent();
    expect(await (await prepare(file, { parent })).send()).toEqual({
      result,
      cause: `the export cannot be fetched: ${why}`,
      contact: 'none',
    });
  });

  it('needs a scope, a service and content', async () => {
    const parent = await sendParent();
    standIn.knobs.turn({ scopes: ['chat:write'] });
    expect(await (await prepare(file, { parent })).send()).toEqual({
      result: 'permanent',
      cause: 'Slack answered missing_scope: give the app the scope files:write, and install it again',
    });
    content = new Uint8Array();
    expect(await (await prepare(file, { parent })).send()).toEqual({
      result: 'permanent',
      cause: 'the export is empty',
      contact: 'none',
    });
    content = new Uint8Array(50 * 1024 * 1024 + 1);
    expect(await (await prepare(file, { parent })).send()).toEqual({
      result: 'permanent',
      cause: 'the export is larger than 50 MiB',
      contact: 'none',
    });
    const alone = openSlack({ token: 'xoxb-test', channel });
    expect(await alone.prepare(file, { effectKey, target: channel, parent })).toMatchObject({
      result: 'permanent',
      contact: 'none',
    });
  });
});

describe('blocks that Slack refuses', () => {
  const refused = (error: string): Interception => ({ status: 200, body: { ok: false, error } });

  it.each(['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long'])(
    'are sent once more as plain text after %s',
    async (error) => {
      once('chat.postMessage', refused(error));
      const linked = layOutSlackRecap(buildDigest(sampleReport), { link: 'https://app.example.com/m_1' })[0];
      expect(await (await prepare(linked)).send()).toMatchObject({ result: 'sent' });
      const [posted] = standIn.received();
      expect(posted?.blocks).toHaveLength(1);
      expect(JSON.stringify(posted?.blocks)).toContain('• budget <fixed>');
      expect(JSON.stringify(posted?.blocks)).toContain('"url":"https://app.example.com/m_1"');
      expect(posted?.metadata?.event_payload).toEqual({ key: effectKey });
    },
  );

  it('are given up after the second refusal, and a change too', async () => {
    let calls = 0;
    rule = ({ path }) => {
      if (!path.includes('chat.')) return 'pass';
      calls += 1;
      return refused('invalid_blocks');
    };
    const shipment = await prepare(pages[0]);
    expect(await shipment.send()).toEqual({
      result: 'permanent',
      cause: 'Slack answered invalid_blocks',
    });
    expect(calls).toBe(2);
    expect(await shipment.update?.(`${channel}/1795000000.000001`)).toMatchObject({ result: 'permanent' });
    expect(calls).toBe(4);
  });

  it('are not sent again where it is not clear what became of them', async () => {
    once('chat.postMessage', 'drop_after');
    expect(await (await prepare(pages[0])).send()).toMatchObject({ result: 'unknown' });
    expect(standIn.received()).toHaveLength(1);
  });

  it('leave a second attempt that is unclear to be looked for', async () => {
    let calls = 0;
    rule = ({ path }) => {
      if (!path.endsWith('chat.postMessage')) return 'pass';
      calls += 1;
      return calls === 1 ? refused('invalid_blocks') : 'drop_after';
    };
    const shipment = await prepare(pages[0]);
    expect(await shipment.send()).toMatchObject({ result: 'unknown' });
    expect(await shipment.probe(nowMs)).toMatchObject({ result: 'found' });
  });
});
