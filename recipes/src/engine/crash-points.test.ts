import { describeEachStore, openTestStore, type StoreKind } from '@aftermeet/test/support';
import { expect, it, onTestFinished } from 'vitest';

import { openMail } from '../destinations/email/send-mail.ts';
import { settlePolicies } from '../destinations/index.ts';
import { takePrepared } from '../testing/bring-to-end.ts';
import { sampleFacts, startMs } from '../testing/effect-requests.ts';
import { startSmtpScript } from '../testing/start-smtp-script.ts';
import { openTestSlack } from '../testing/test-slack.ts';
import { useLedger } from '../testing/use-ledger.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { DeliveryPolicy } from './limits/policy.ts';
import type { Outcome } from './outcome.ts';
import type { PreparedSend } from './prepared-send.ts';
import { sendOnce } from './send-once.ts';

/** Where a worker can die over an effect, in the order in which it gets there. */
type CrashPoint =
  | 'before the intent'
  | 'after the intent'
  | 'after the send'
  | 'before the outcome is recorded'
  | 'after the outcome is recorded';

/** After a crash: what arrived of the effect in all, and how the next worker ends it. */
interface Recovery {
  readonly point: CrashPoint;
  /** What had arrived when the worker died. */
  readonly arrived: number;
  /** What the next worker answers at once, while the lease of the dead one runs. */
  readonly atOnce: Partial<Outcome>;
  /** Its answer when the lease is over, where it had to wait. */
  readonly later?: Partial<Outcome>;
  /** What has arrived in the end. */
  readonly total: number;
}

const sent = { kind: 'sent', sentNow: true } as const;
const found = { kind: 'sent', sentNow: false } as const;
const wait = { kind: 'wait', why: 'unclear' } as const;
const held = { kind: 'failed' } as const;

/** Slack is looked at before anything is sent again: one message at every point. */
const atSlack: readonly Recovery[] = [
  { point: 'before the intent', arrived: 0, atOnce: sent, total: 1 },
  { point: 'after the intent', arrived: 0, atOnce: wait, later: sent, total: 1 },
  { point: 'after the send', arrived: 1, atOnce: wait, later: found, total: 1 },
  { point: 'before the outcome is recorded', arrived: 1, atOnce: wait, later: found, total: 1 },
  { point: 'after the outcome is recorded', arrived: 1, atOnce: found, total: 1 },
];

/** A mailbox can't be looked into. With `when_untraceable: resend` a mail can come twice, under one Message-ID. */
const atMailWithResend: readonly Recovery[] = [
  { point: 'before the intent', arrived: 0, atOnce: sent, total: 1 },
  { point: 'after the intent', arrived: 0, atOnce: wait, later: sent, total: 1 },
  { point: 'after the send', arrived: 1, atOnce: wait, later: sent, total: 2 },
  { point: 'before the outcome is recorded', arrived: 1, atOnce: wait, later: sent, total: 2 },
  { point: 'after the outcome is recorded', arrived: 1, atOnce: found, total: 1 },
];

/**
 * With `hold` it is left to a person: never twice, and perhaps not at all. Redis may have lost its last second, so there a
 * second start proves nothing even without an intent.
 */
const atMailWithHold = (kind: StoreKind): readonly Recovery[] => [
  kind === 'redis'
    ? { point: 'before the intent', arrived: 0, atOnce: held, total: 0 }
    : { point: 'before the intent', arrived: 0, atOnce: sent, total: 1 },
  { point: 'after the intent', arrived: 0, atOnce: wait, later: held, total: 0 },
  { point: 'after the send', arrived: 1, atOnce: wait, later: held, total: 1 },
  { point: 'before the outcome is recorded', arrived: 1, atOnce: wait, later: held, total: 1 },
  { point: 'after the outcome is recorded', arrived: 1, atOnce: found, total: 1 },
];

describeEachStore(
  'a worker that dies over an effect',
  (kind) => {
    const store = useLedger(() => openTestStore(kind));
    let lastKey = 0;

    it.each(atSlack)('$point, at Slack: one message', async (recovery) => {
      const { emulator, prepare } = await openTestSlack();
      await expectRecovery(recovery, settlePolicies().of('slack'), {
        prepare: (effectKey) => prepare({ text: 'Recap', blocks: [] }, { effectKey }),
        count: () => emulator.received().length,
      });
    });

    it.each([
      ...atMailWithResend.map((recovery) => ({ ...recovery, whenUntraceable: 'resend' as const })),
      ...atMailWithHold(kind).map((recovery) => ({ ...recovery, whenUntraceable: 'hold' as const })),
    ])(
      '$point, by mail with $whenUntraceable: $total in the end',
      async ({ whenUntraceable, ...recovery }) => {
        const server = await startSmtpScript();
        const mail = openMail({ smtpUrl: server.url, from: 'bot@example.com', to: [] });
        onTestFinished(async () => {
          await mail.close();
          await server.close();
        });
        const text = { subject: 'Recap', text: 'It went well.', html: '<p>It went well.</p>' };
        await expectRecovery(
          recovery,
          { ...settlePolicies().of('email'), whenUntraceable },
          {
            prepare: async (effectKey) =>
              takePrepared(await mail.prepare(text, { effectKey, target: 'ann@example.com' })),
            count: () => server.messages.length,
          },
        );
        const ids = server.messages.map(readMessageId);
        expect(ids).toEqual(ids.map(() => expect.stringMatching(/^<.+>$/)));
        expect(new Set(ids).size).toBeLessThanOrEqual(1);
      },
    );

    /** Two workers, each with a connector's prepared send of its own, and the time of the store between them. */
    async function expectRecovery(
      { point, arrived, atOnce, later, total }: Recovery,
      policy: DeliveryPolicy,
      { prepare, count }: { prepare: (effectKey: string) => Promise<PreparedSend>; count: () => number },
    ): Promise<void> {
      lastKey += 1;
      const effectKey = `effect-${lastKey}`;
      let nowMs = startMs;
      const start = async (crash?: CrashPoint): Promise<Outcome> => {
        const whole = { ledger: store.ledger, prepared: await prepare(effectKey) };
        const { ledger, prepared } = crash === undefined ? whole : crashAt(crash, whole);
        const request = { facts: sampleFacts, isTraceComplete: crash !== undefined, earliestMs: startMs };
        return await sendOnce(effectKey, prepared, request, { ledger, clock: () => nowMs, policy });
      };
      await expect(start(point)).rejects.toThrow(new Crashed(point));
      expect(count()).toBe(arrived);
      expect(await start()).toMatchObject(atOnce);
      if (later !== undefined) {
        expect(count()).toBe(arrived);
        nowMs += 75_000;
        expect(await start()).toMatchObject(later);
      }
      expect(count()).toBe(total);
    }
  },
  ['redis', 'postgres'],
);

function readMessageId(message: string): string | undefined {
  return /^Message-ID: (.+)\r$/im.exec(message)?.[1];
}

/** What a worker does last at a crash point. */
class Crashed extends Error {
  override readonly name = 'Crashed';
}

/** The ledger and the send of a worker that dies at a point: what comes before it has happened, and nothing after it. */
function crashAt(
  point: CrashPoint,
  { ledger, prepared }: { readonly ledger: Ledger; readonly prepared: PreparedSend },
): { readonly ledger: Ledger; readonly prepared: PreparedSend } {
  const crash = (): never => {
    throw new Crashed(point);
  };
  return {
    ledger: {
      ...ledger,
      claim: async (...parameters) => {
        if (point === 'before the intent') crash();
        const claim = await ledger.claim(...parameters);
        return point === 'after the intent' ? crash() : claim;
      },
      settle: async (...parameters) => {
        if (point === 'before the outcome is recorded') crash();
        await ledger.settle(...parameters);
        return crash();
      },
    },
    prepared: {
      ...prepared,
      send: async () => {
        const result = await prepared.send();
        return point === 'after the send' ? crash() : result;
      },
    },
  };
}
