import { createSlackStandIn, type Interception } from '@aftermeet/sandbox';
import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { bringAbout } from './bring-about.ts';
import { openMail } from './email/send-mail.ts';
import type { Ending } from './ending.ts';
import type { EffectFacts, Ledger } from './ledger/ledger.ts';
import { type DeliveryPolicy, usualPolicies } from './pace/policy.ts';
import type { Preparation, Shipment } from './shipment.ts';
import { openSlack } from './slack/send-slack-message.ts';
import { startSmtpScript, type SmtpScript } from './testing/start-smtp-script.ts';
import { useLedger } from './testing/use-ledger.ts';

const startMs = 1_795_000_000_000;
const facts: EffectFacts = {
  recipe: 'r',
  destination: 'd',
  eventKind: 'meeting.completed',
  meetingId: 'm_1',
  occurrence: 'o',
  targetHash: 't',
  part: 0,
  traceId: '',
  receivedAtMs: startMs,
};
const mail = { subject: 'Recap', text: 'It went well.', html: '<p>It went well.</p>' };

function readyShipment(preparation: Preparation): Shipment {
  if (preparation.result !== 'ready') throw new Error(preparation.cause);
  return preparation.shipment;
}

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
      policy = usualPolicies.email;
      unconfirmedTimes = 0;
      lastKey += 1;
      effectKey = `effect-${lastKey}`;
    });
    afterEach(async () => {
      for (const close of closers.splice(0)) await close();
    });

    async function start(shipment: Shipment, ledger: Ledger = store.ledger): Promise<Ending> {
      const request = { facts, isTraceComplete: true, earliestMs: startMs };
      const tools = { ledger, clock: () => nowMs, policy, unconfirmedTimes };
      const ending = await bringAbout(effectKey, shipment, request, tools);
      // As the job carries it.
      if (ending.kind === 'wait' && ending.isUnconfirmed === true) unconfirmedTimes += 1;
      return ending;
    }

    async function openMailShipment(): Promise<{ server: SmtpScript; shipment: Shipment }> {
      const server = await startSmtpScript();
      const carrier = openMail({ smtpUrl: server.url, from: 'bot@example.com', to: [] });
      closers.push(() => carrier.close());
      closers.push(() => server.close());
      const shipment = readyShipment(await carrier.prepare(mail, { effectKey, target: 'ann@example.com' }));
      return { server, shipment };
    }

    async function openSlackShipment() {
      const rule: { onHistory: Interception; onPost: Interception } = { onHistory: 'pass', onPost: 'pass' };
      const slack = createSlackStandIn({
        channels: [{ id: 'C0123456789', name: 'meetings' }],
        clock: () => nowMs,
        intercept: ({ path }) => (path.endsWith('conversations.history') ? rule.onHistory : rule.onPost),
      });
      const { url } = await slack.listen();
      closers.push(() => slack.close());
      const carrier = openSlack({ token: 'xoxb-test', apiUrl: `${url}/api/`, channel: 'C0123456789' });
      const label = { effectKey, target: 'C0123456789' };
      const message = { text: 'Recap', blocks: [] };
      return { rule, slack, shipment: readyShipment(await carrier.prepare(message, label)) };
    }

    it('sends an unconfirmed mail again once, and then leaves it to a person', async () => {
      const { server, shipment } = await openMailShipment();
      server.faults = { DOT: 'drop' };
      expect(await start(shipment)).toMatchObject({ kind: 'wait', forMs: 75_000 });
      nowMs += 74_999;
      expect(await start(shipment)).toMatchObject({ kind: 'wait', forMs: 100 });
      nowMs += 1;
      expect(await start(shipment)).toEqual({
        kind: 'failed',
        cause:
          'the mail server took the mail and did not confirm it (ECONNECTION); it may have arrived, and is not sent once more',
      });
      nowMs += 75_000;
      expect(await start(shipment)).toEqual({
        kind: 'failed',
        cause:
          'the mail server took the mail and did not confirm it (ECONNECTION); it may have arrived, and is not sent once more',
      });
      expect(await store.ledger.read(effectKey, nowMs)).toMatchObject({ state: 'parked', attempts: 2 });
      expect(server.messages).toHaveLength(2);
      expect(new Set(server.messages.map((text) => /^Message-ID: (.+)\r$/im.exec(text)?.[1])).size).toBe(1);
    });

    it('sends a mail again when the worker died over it, but not for ever', async () => {
      const { server, shipment } = await openMailShipment();
      const deadLedger: Ledger = { ...store.ledger, settle: () => Promise.reject(new Error('killed')) };
      for (let deaths = 0; deaths < 6; deaths += 1) {
        await expect(start(shipment, deadLedger)).rejects.toThrow('killed');
        nowMs += 75_000;
      }
      expect(await start(shipment)).toMatchObject({ kind: 'failed' });
      expect(server.messages).toHaveLength(6);
      expect(new Set(server.messages.map((text) => /^Message-ID: (.+)\r$/im.exec(text)?.[1])).size).toBe(1);
    });

    it('does not count what the mail server surely did not take', async () => {
      const { server, shipment } = await openMailShipment();
      server.faults = { DOT: 'drop' };
      await start(shipment);
      server.faults = { RCPT: { reply: '451 later' } };
      for (let count = 0; count < 5; count += 1) {
        nowMs += 75_000;
        expect(await start(shipment)).toMatchObject({ kind: 'retry' });
      }
      server.faults = {};
      expect(await start(shipment)).toMatchObject({ kind: 'sent', isNew: true });
      expect(server.messages).toHaveLength(2);
    });

    it('waits as long as Slack says before it looks again, and does not count that as a look', async () => {
      const { rule, slack, shipment } = await openSlackShipment();
      rule.onPost = 'drop_after';
      expect(await start(shipment)).toMatchObject({ kind: 'wait', forMs: 25_000 });
      rule.onHistory = { status: 429, headers: { 'retry-after': '40' } };
      for (let count = 0; count < 15; count += 1) {
        nowMs += 40_000;
        expect(await start(shipment)).toEqual({
          kind: 'wait',
          why: 'limited',
          forMs: 40_000,
          cause: 'whether the message was posted could not be looked up: Slack limits the rate (429)',
        });
      }
      rule.onHistory = 'pass';
      nowMs += 40_000;
      expect(await start(shipment)).toMatchObject({ kind: 'sent', isNew: false });
      expect(slack.received()).toHaveLength(1);
    });

    it.each<[string, Interception]>([
      ['answers with errors', { status: 500 }],
      ['cuts its answers off', 'drop_after'],
    ])('looks as often as it takes while Slack %s, and does not send meanwhile', async (_name, fault) => {
      const { rule, slack, shipment } = await openSlackShipment();
      rule.onPost = 'drop_after';
      await start(shipment);
      rule.onHistory = fault;
      for (let count = 0; count < 15; count += 1) {
        nowMs += 25_000;
        expect(await start(shipment)).toMatchObject({ kind: 'retry' });
      }
      rule.onHistory = 'pass';
      nowMs += 25_000;
      expect(await start(shipment)).toMatchObject({ kind: 'sent', isNew: false });
      expect(slack.received()).toHaveLength(1);
    });

    it('sends nothing, and counts nothing, when the store of the ledger is slow', async () => {
      const { server, shipment } = await openMailShipment();
      server.faults = { DOT: 'drop' };
      await start(shipment);
      nowMs += 75_000;
      const slowly =
        <Values extends readonly unknown[], Result>(step: (...values: Values) => Promise<Result>) =>
        async (...values: Values): Promise<Result> => {
          const result = await step(...values);
          nowMs += 3000;
          return result;
        };
      const { ledger } = store;
      const slowLedger: Ledger = {
        ...ledger,
        claim: slowly((key, request) => ledger.claim(key, request)),
        renew: slowly((key, fence, untilMs) => ledger.renew(key, fence, untilMs)),
      };
      expect(await start(shipment, slowLedger)).toMatchObject({ kind: 'wait', forMs: 5000 });
      expect(server.messages).toHaveLength(1);
      server.faults = {};
      nowMs += 200_000;
      expect(await start(shipment)).toMatchObject({ kind: 'sent', isNew: true });
    });
  },
  ['redis', 'postgres'],
);
