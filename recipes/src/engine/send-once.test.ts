import { createNotionEmulator, createSlackEmulator, type Interception } from '@aftermeet/sandbox';
import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { openMail } from '../destinations/email/send-mail.ts';
import { settlePolicies } from '../destinations/index.ts';
import { openNotion } from '../destinations/notion/connector.ts';
import { renderNotionPage } from '../destinations/notion/render-page.ts';
import { openSlack } from '../destinations/slack/connector.ts';
import { buildDigest } from '../report/digest.ts';
import { takePrepared } from '../testing/bring-to-end.ts';
import { dedupeBy, sampleFacts, startMs } from '../testing/effect-requests.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { type SmtpScript, startSmtpScript } from '../testing/start-smtp-script.ts';
import { useLedger } from '../testing/use-ledger.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { DeliveryPolicy } from './limits/policy.ts';
import { type Outcome, toNotSentOutcome } from './outcome.ts';
import type { PreparedSend } from './prepared-send.ts';
import { sendOnce } from './send-once.ts';

const mail = { subject: 'Recap', text: 'It went well.', html: '<p>It went well.</p>' };

describeEachStore(
  'bringing an effect about',
  (kind) => {
    const store = useLedger(() => openTestStore(kind));
    let nowMs: number;
    let policy: DeliveryPolicy;
    let unconfirmedTimes: number;
    let effectKey: string;
    let lastKey = 0;
    const closers: (() => Promise<void>)[] = [];

    beforeEach(() => {
      nowMs = startMs;
      policy = settlePolicies().of('email');
      unconfirmedTimes = 0;
      lastKey += 1;
      effectKey = `effect-${lastKey}`;
    });
    afterEach(async () => {
      for (const close of closers.splice(0)) await close();
    });

    async function start(prepared: PreparedSend, ledger: Ledger = store.ledger): Promise<Outcome> {
      const request = { facts: sampleFacts, isTraceComplete: true, earliestMs: startMs };
      const tools = { ledger, clock: () => nowMs, policy, unconfirmedTimes };
      const ending = await sendOnce(effectKey, prepared, request, tools);
      // As the job carries it.
      if (ending.kind === 'wait' && ending.isUnconfirmed === true) unconfirmedTimes += 1;
      return ending;
    }

    async function openPreparedMail(): Promise<{ server: SmtpScript; prepared: PreparedSend }> {
      const server = await startSmtpScript();
      const connector = openMail({ smtpUrl: server.url, from: 'bot@example.com', to: [] });
      closers.push(() => connector.close());
      closers.push(() => server.close());
      const prepared = takePrepared(await connector.prepare(mail, { effectKey, target: 'ann@example.com' }));
      return { server, prepared };
    }

    async function openPreparedMessage() {
      const rule: { onHistory: Interception; onPost: Interception } = { onHistory: 'pass', onPost: 'pass' };
      const slack = createSlackEmulator({
        channels: [{ id: 'C0123456789', name: 'meetings' }],
        clock: () => nowMs,
        intercept: ({ path }) => (path.endsWith('conversations.history') ? rule.onHistory : rule.onPost),
      });
      const { url } = await slack.listen();
      closers.push(() => slack.close());
      const connector = openSlack({ token: 'xoxb-test', apiUrl: `${url}/api/`, channel: 'C0123456789' });
      const label = { effectKey, target: 'C0123456789' };
      const message = { text: 'Recap', blocks: [] };
      return { rule, slack, prepared: takePrepared(await connector.prepare(message, label)) };
    }

    it('sends an unconfirmed mail again once, and then leaves it to a person', async () => {
      const { server, prepared } = await openPreparedMail();
      server.faults = { DOT: 'drop' };
      expect(await start(prepared)).toMatchObject({ kind: 'wait', forMs: 75_000 });
      nowMs += 74_999;
      expect(await start(prepared)).toMatchObject({ kind: 'wait', forMs: 100 });
      nowMs += 1;
      expect(await start(prepared)).toEqual({
        kind: 'failed',
        cause:
          'the mail server took the mail and did not confirm it (ECONNECTION); it may have arrived, so it is not sent again',
      });
      nowMs += 75_000;
      expect(await start(prepared)).toEqual({
        kind: 'failed',
        cause:
          'the mail server took the mail and did not confirm it (ECONNECTION); it may have arrived, so it is not sent again',
      });
      expect(await store.ledger.read(effectKey, nowMs)).toMatchObject({ state: 'parked', attempts: 2 });
      expect(server.messages).toHaveLength(2);
      expect(new Set(server.messages.map((text) => /^Message-ID: (.+)\r$/im.exec(text)?.[1])).size).toBe(1);
    });

    it('sends a mail again when the worker died over it, but not for ever', async () => {
      const { server, prepared } = await openPreparedMail();
      const deadLedger: Ledger = { ...store.ledger, settle: () => Promise.reject(new Error('killed')) };
      for (let deaths = 0; deaths < 6; deaths += 1) {
        await expect(start(prepared, deadLedger)).rejects.toThrow('killed');
        nowMs += 75_000;
      }
      expect(await start(prepared)).toMatchObject({ kind: 'failed' });
      expect(server.messages).toHaveLength(6);
      expect(new Set(server.messages.map((text) => /^Message-ID: (.+)\r$/im.exec(text)?.[1])).size).toBe(1);
    });

    it('does not count what the mail server surely did not take', async () => {
      const { server, prepared } = await openPreparedMail();
      server.faults = { DOT: 'drop' };
      await start(prepared);
      server.faults = { RCPT: { reply: '451 later' } };
      for (let count = 0; count < 5; count += 1) {
        nowMs += 75_000;
        expect(await start(prepared)).toMatchObject({ kind: 'retry' });
      }
      server.faults = {};
      expect(await start(prepared)).toMatchObject({ kind: 'sent', sentNow: true });
      expect(server.messages).toHaveLength(2);
    });

    it('waits as long as Slack says before it looks again, and does not count that as a look', async () => {
      const { rule, slack, prepared } = await openPreparedMessage();
      rule.onPost = 'drop_after';
      expect(await start(prepared)).toMatchObject({ kind: 'wait', forMs: 25_000 });
      rule.onHistory = { status: 429, headers: { 'retry-after': '40' } };
      for (let count = 0; count < 15; count += 1) {
        nowMs += 40_000;
        expect(await start(prepared)).toEqual({
          kind: 'wait',
          why: 'limited',
          forMs: 40_000,
          cause: 'whether the message was posted could not be looked up: Slack limits the rate (429)',
        });
      }
      rule.onHistory = 'pass';
      nowMs += 40_000;
      expect(await start(prepared)).toMatchObject({ kind: 'sent', sentNow: false });
      expect(slack.received()).toHaveLength(1);
    });

    it.each<[string, Interception]>([
      ['answers with errors', { status: 500 }],
      ['cuts its answers off', 'drop_after'],
    ])('looks as often as it takes while Slack %s, and does not send meanwhile', async (_name, fault) => {
      const { rule, slack, prepared } = await openPreparedMessage();
      rule.onPost = 'drop_after';
      await start(prepared);
      rule.onHistory = fault;
      for (let count = 0; count < 15; count += 1) {
        nowMs += 25_000;
        expect(await start(prepared)).toMatchObject({ kind: 'retry' });
      }
      rule.onHistory = 'pass';
      nowMs += 25_000;
      expect(await start(prepared)).toMatchObject({ kind: 'sent', sentNow: false });
      expect(slack.received()).toHaveLength(1);
    });
  },
  ['redis', 'postgres'],
);

describeEachStore('changing a page that was sent', (kind) => {
  const store = useLedger(() => openTestStore(kind));
  const closers: (() => Promise<void>)[] = [];
  let nowMs: number;
  let meetings = 0;
  beforeEach(() => {
    nowMs = startMs;
    meetings += 1;
  });
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  /** Notion with a page that says `first`. */
  async function openSent() {
    const rule: { onErase: Interception; onAppend: Interception } = { onErase: 'pass', onAppend: 'pass' };
    const emulator = createNotionEmulator({
      intercept: ({ method, path }) => {
        if (path.endsWith('/children')) return rule.onAppend;
        return method === 'PATCH' && path.startsWith('/v1/pages/') ? rule.onErase : 'pass';
      },
    });
    closers.push(() => emulator.close());
    const { url } = await emulator.listen();
    const target = emulator.dataSourceId;
    const connector = openNotion({ token: 'ntn_test', baseUrl: url, dataSourceId: target }, () => nowMs);
    const send = async (content: string, ledger: Ledger = store.ledger): Promise<Outcome> => {
      const effectKey = `effect-${meetings}-${content}`;
      const page = renderNotionPage(buildDigest({ ...sampleReport, summary: content }));
      const prepared = takePrepared(await connector.prepare(page, { effectKey, target }));
      const dedupe = dedupeBy(`meeting-${meetings}`, '2026-07-07T11:00:00Z', content);
      const notionFacts = { ...sampleFacts, destination: 'notion' };
      const request = {
        facts: notionFacts,
        isTraceComplete: true,
        earliestMs: startMs,
        dedupe,
      };
      const tools = { ledger, clock: () => nowMs, policy: settlePolicies().of('notion') };
      return await sendOnce(effectKey, prepared, request, tools);
    };
    expect(await send('first')).toMatchObject({ kind: 'sent', sentNow: true });
    const reference = emulator.received()[0]?.id ?? '';
    const readPage = (): string => JSON.stringify(emulator.readBlocks(reference));
    return { rule, emulator, reference, send, readPage };
  }

  it('writes the page again after a worker that died when it had taken everything out', async () => {
    const { rule, emulator, reference, send, readPage } = await openSent();
    const whole = emulator.readBlocks(reference).length;
    rule.onAppend = { status: 500, body: 'the worker is not there to hear it' };
    const deadLedger: Ledger = { ...store.ledger, settle: () => Promise.reject(new Error('killed')) };
    await expect(send('second', deadLedger)).rejects.toThrow('killed');
    expect(readPage()).toBe('[]');
    rule.onAppend = 'pass';
    nowMs += 39_999;
    expect(await send('second')).toMatchObject({ kind: 'wait', why: 'unclear' });
    nowMs += 1;
    expect(await send('second')).toEqual({ kind: 'sent', reference, sentNow: true });
    expect(emulator.received()).toHaveLength(1);
    expect(emulator.readBlocks(reference)).toHaveLength(whole);
    expect(readPage()).toContain('second');
  });

  it('makes a change again whose end is not known, when it cannot be under way any more', async () => {
    const { rule, emulator, reference, send, readPage } = await openSent();
    const whole = emulator.readBlocks(reference).length;
    rule.onAppend = 'drop_after';
    expect(await send('second')).toMatchObject({ kind: 'retry', why: 'destination', forMs: 40_000 });
    rule.onAppend = 'pass';
    nowMs += 40_000;
    expect(await send('second')).toEqual({ kind: 'sent', reference, sentNow: true });
    expect(emulator.readBlocks(reference)).toHaveLength(whole);
    expect(readPage()).toContain('second');
  });

  it('waits for nothing when it is sure that nothing was changed', async () => {
    const { rule, send, readPage } = await openSent();
    rule.onErase = {
      status: 409,
      body: { object: 'error', status: 409, code: 'conflict_error', message: '' },
    };
    const ending = await send('second');
    expect(ending).toMatchObject({ kind: 'retry', cause: 'Notion answered 409 conflict_error' });
    expect(ending).not.toHaveProperty('forMs');
    expect(readPage()).toContain('first');
    rule.onErase = 'pass';
    expect(await send('second')).toMatchObject({ kind: 'sent' });
  });
});

it('an effect whose export needs a refused API key waits for the key, without an end', () => {
  const cause = 'the export cannot be fetched: unauthorized (401)';
  expect(toNotSentOutcome({ result: 'not_sent_retry', cause, isKeyRefused: true })).toEqual({
    kind: 'wait',
    why: 'key_refused',
    forMs: 30_000,
    cause,
  });
});
