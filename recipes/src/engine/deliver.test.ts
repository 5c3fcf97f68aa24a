import { type ReportAnswer, type ReportReader, ServiceError } from '@aftermeet/client';
import { type Backend, type EffectJob, openBackend, silentLog } from '@aftermeet/queue';
import {
  createSlackEmulator,
  createVendorEmulators,
  type Interception,
  type VendorEmulators,
} from '@aftermeet/sandbox';
import { describeEachStore, openTestStore, type TestStore } from '@aftermeet/test/support';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';

import { openDestinations, settlePolicies } from '../destinations/index.ts';
import type { Destinations } from '../destinations/settings.ts';
import { bindRecipes, standardRecipes } from '../prebuilt/bind-recipes.ts';
import { createTestTools } from '../testing/create-test-tools.ts';
import { recordLog, type RecordedLog } from '../testing/record-log.ts';
import { shortReport } from '../testing/sample-report.ts';
import { deliverEffect, type DeliveryTools } from './deliver.ts';
import type { Connectors } from './destination.ts';
import { createDigestSource } from './digest-source.ts';
import type { Ledger } from './ledger/ledger.ts';
import { type RateLimit, type RateLimits, openSharedLimits } from './limits/rate-limits.ts';
import type { WorkerStep } from './outcome.ts';
import { planEffects } from './plan.ts';
import type { Preparation } from './prepared-send.ts';
import { openLedger } from './store/open-stores.ts';

const startMs = Date.now();

/** The rateLimits of one test: the next one begins at the same moment, and finds none of its turns taken. */
function useOwnLanes(rateLimits: RateLimits, test: number): RateLimits {
  const own = (rateLimit: RateLimit): RateLimit => ({ ...rateLimit, name: `${test} ${rateLimit.name}` });
  return {
    ...rateLimits,
    reserve: (asked, nowMs) => rateLimits.reserve(asked.map(own), nowMs),
    enter: (visit, nowMs) => rateLimits.enter({ ...visit, rateLimit: own(visit.rateLimit) }, nowMs),
    leave: (rateLimit, slotMs, nowMs) => rateLimits.leave(own(rateLimit), slotMs, nowMs),
    pause: (rateLimit, untilMs, nowMs) => rateLimits.pause(own(rateLimit), untilMs, nowMs),
  };
}

describeEachStore(
  'an effect',
  (kind) => {
    let store: TestStore;
    let backend: Backend;
    let vendors: VendorEmulators;
    let rules: { slack: Interception; notionCreate: Interception };
    let ledger: Ledger;
    let rateLimits: RateLimits;
    let connectors: Connectors;
    let nowMs: number;
    let answer: ReportAnswer;
    let refusal: ServiceError | undefined;
    let steps: WorkerStep[];
    let log: RecordedLog;
    let tools: DeliveryTools;
    let jobs: readonly EffectJob[];
    let alerts: string[];
    /** What the jobs that were put aside carry. */
    let carried: Map<string, EffectJob>;
    let lastMeeting = 0;

    beforeAll(async () => {
      store = await openTestStore(kind);
      backend = await openBackend(store.queueUrl, { log: silentLog });
      ledger = await openLedger(backend);
      ({ rateLimits } = await openSharedLimits(backend));
    });
    afterAll(async () => {
      await ledger.close();
      await rateLimits.close();
      await backend.close();
      await store.dispose();
    });

    beforeEach(async () => {
      rules = { slack: 'pass', notionCreate: 'pass' };
      nowMs = startMs;
      vendors = await createVendorEmulators({
        slack: {
          channels: [{ id: 'C0123456789', name: 'meetings' }],
          clock: () => nowMs,
          intercept: ({ path }) => (path.endsWith('chat.postMessage') ? rules.slack : 'pass'),
        },
        notion: {
          intercept: ({ method, path }) =>
            method === 'POST' && path === '/v1/pages' ? rules.notionCreate : 'pass',
        },
      });
      answer = { ready: true, report: shortReport };
      refusal = undefined;
      lastMeeting += 1;
      openTools();
      jobs = planJobs({
        event: 'meeting.completed',
        data: { title: 'Weekly sync', is_transcript_empty: false },
      });
    });
    afterEach(async () => {
      await connectors.close();
      await vendors.close();
    });

    function listDestinations(): Destinations {
      return {
        slack: { token: 'xoxb-test', apiUrl: vendors.slack.apiUrl, channel: 'C0123456789' },
        notion: { token: 'ntn_test', baseUrl: vendors.notion.url, dataSourceId: vendors.notion.dataSourceId },
        email: {
          smtpUrl: vendors.mail.url,
          from: 'bot@example.com',
          to: ['ann@example.com', 'bob@example.com'],
        },
      };
    }

    function readClock(): number {
      return nowMs;
    }

    /** A worker of its own: nothing that lives in a process only is kept. */
    function openTools(): void {
      const client: ReportReader = {
        reports: {
          get: async () => {
            if (refusal !== undefined) throw refusal;
            return answer;
          },
        },
      };
      const recipes = bindRecipes(standardRecipes(listDestinations()), listDestinations());
      connectors = openDestinations(listDestinations(), { clock: readClock, policies: settlePolicies() });
      steps = [];
      alerts = [];
      carried = new Map();
      log = recordLog();
      const own = {
        recipes: new Map(recipes.map((recipe) => [recipe.name, recipe])),
        connectors,
        ledger,
        digests: createDigestSource(client, readClock, () => {}),
        clock: readClock,
      };
      tools = {
        ...createTestTools(own, []),
        log,
        rateLimits: useOwnLanes(rateLimits, lastMeeting),
        alertOfEffect: async (_about, { recipe }, cause) => void alerts.push(`${recipe}: ${cause}`),
        observe: (step) => steps.push(step),
      };
    }

    function planJobs(body: object): readonly EffectJob[] {
      const plan = planEffects(
        {
          endpoint: 'default',
          receivedAt: new Date(startMs).toISOString(),
          body: JSON.stringify({
            meeting_id: `m_${lastMeeting}`,
            timestamp: new Date(startMs - 1000).toISOString(),
            ...body,
          }),
        },
        { workspace: 'active', recipes: [...tools.recipes.values()] },
        `delivery-${lastMeeting}`,
      );
      if (!plan.ok) throw new Error(plan.cause);
      return plan.effects;
    }

    async function run(recipe: string, startedTimes = 1) {
      const planned = jobs.find((job) => job.recipe === recipe);
      if (planned === undefined) throw new Error(`no effect of ${recipe}`);
      const data = carried.get(planned.effectKey) ?? planned;
      const taken = { id: data.effectKey, attempt: 1, maxAttempts: 12, dueAtMs: nowMs };
      const outcome = await deliverEffect({ ...taken, data, startedTimes }, tools);
      if (outcome.kind === 'wait' && outcome.data !== undefined) carried.set(data.effectKey, outcome.data);
      return outcome;
    }

    function findEntry(recipe: string) {
      const job = jobs.find((planned) => planned.recipe === recipe);
      return ledger.read(job?.effectKey ?? '', nowMs);
    }

    /** The same meeting once more, under a later time. */
    function planAgain(): void {
      nowMs += 60_000;
      const timestamp = new Date(nowMs).toISOString();
      jobs = planJobs({ event: 'meeting.completed', timestamp, data: { title: 'Weekly sync' } });
    }

    it('is planned once for each recipe and target', () => {
      expect(jobs.map(({ recipe }) => recipe)).toEqual([
        'slack-recap',
        'notion-page',
        'email-follow-up',
        'email-follow-up',
      ]);
      expect(new Set(jobs.map(({ effectKey }) => effectKey)).size).toBe(4);
    });

    it('is sent, and sent no second time however often its job runs', async () => {
      for (const recipe of ['slack-recap', 'notion-page', 'email-follow-up']) {
        expect(await run(recipe)).toEqual({ kind: 'done' });
        expect(await run(recipe, 2)).toEqual({ kind: 'done' });
      }
      expect(vendors.slack.emulator.received()).toHaveLength(1);
      expect(vendors.notion.emulator.received()).toHaveLength(1);
      expect(vendors.mail.emulator.received()).toHaveLength(1);
      expect(steps[0]).toMatchObject({
        kind: 'effect_sent',
        destination: 'slack',
        reference: `C0123456789/${vendors.slack.emulator.received()[0]?.ts ?? ''}`,
      });
    });

    it('is skipped when its recipient is on the suppression list, and others are sent', async () => {
      const suppressions = { covers: (names: readonly string[]) => names.includes('ann@example.com') };
      tools = { ...tools, suppressions };
      for (const data of jobs) {
        const taken = { id: data.effectKey, attempt: 1, maxAttempts: 12, dueAtMs: nowMs };
        await deliverEffect({ ...taken, data, startedTimes: 1 }, tools);
      }
      expect(vendors.mail.emulator.received().map(({ envelope }) => envelope.to)).toEqual([
        ['bob@example.com'],
      ]);
      expect(vendors.slack.emulator.received()).toHaveLength(1);
      const ann = jobs.find(({ target }) => target === 'ann@example.com')?.effectKey ?? '';
      expect(await ledger.read(ann, nowMs)).toMatchObject({
        state: 'skipped',
        cause: 'its recipient is on the suppression list',
      });
    });

    it.each([
      ['found, not repeated, when its answer was lost', 'drop_after'],
      ['sent after all when an attempt that was cut off had no effect', { status: 500 }],
    ] as const)('is %s, and not before the end of the lease', async (_what, fault) => {
      rules = { slack: fault, notionCreate: fault };
      expect(await run('slack-recap')).toMatchObject({ kind: 'wait', forMs: 25_000 });
      expect(await run('notion-page')).toMatchObject({ kind: 'wait', forMs: 40_000 });
      rules = { slack: 'pass', notionCreate: 'pass' };
      nowMs += 5000;
      // Another worker may be done long before its lease is over.
      expect(await run('slack-recap', 2)).toMatchObject({ kind: 'wait', forMs: 5000 });
      nowMs += 35_001;
      expect(await run('slack-recap', 3)).toEqual({ kind: 'done' });
      expect(await run('notion-page', 2)).toEqual({ kind: 'done' });
      expect(vendors.slack.emulator.received()).toHaveLength(1);
      expect(vendors.notion.emulator.received()).toHaveLength(1);
    });

    it('waits as long as a 429 says, and so do the others of its channel', async () => {
      rules = { slack: { status: 429, headers: { 'retry-after': '20' } }, notionCreate: 'pass' };
      expect(await run('slack-recap')).toMatchObject({ kind: 'wait', forMs: 20_000 });
      lastMeeting += 1;
      jobs = planJobs({ event: 'meeting.failed', data: { title: 'Other' } });
      // The one that heard of it goes first.
      expect(await run('slack-alert')).toMatchObject({ kind: 'wait', forMs: 21_000 });
      rules = { slack: 'pass', notionCreate: 'pass' };
      nowMs += 21_000;
      expect(await run('slack-alert', 2)).toEqual({ kind: 'done' });
    });

    it('fails for good, and says why, when the destination will never take it', async () => {
      const fault = {
        kind: 'error',
        on: 'chat.postMessage',
        error: 'channel_not_found',
        is_applied: false,
        times: null,
      } as const;
      vendors.slack.emulator.faults.add(fault);
      const expected = {
        kind: 'failed',
        cause:
          "Slack answered channel_not_found: check the channel's id, and invite the app to a private channel",
      };
      expect(await run('slack-recap')).toEqual(expected);
      expect(await run('slack-recap', 2)).toEqual(expected);
    });

    it.each([{ target: 'C0000000000' }, { item: 'another' }])(
      'is not sent where its recipe does not send, whatever its job says: %j',
      async (changes) => {
        jobs = jobs.map((job) => ({ ...job, ...changes, effectKey: `forged-${job.effectKey}` }));
        expect(await run('slack-recap')).toEqual({ kind: 'done' });
        expect(steps.at(-1)).toMatchObject({
          kind: 'effect_skipped',
          cause: 'the recipe does not send to this target',
        });
        expect(vendors.slack.emulator.received()).toEqual([]);
      },
    );

    it('is put aside, and burns no attempt, while its destination is away, and is sent when it is back', async () => {
      const { port } = new URL(vendors.slack.apiUrl);
      await vendors.slack.emulator.close();
      const cause = 'Slack cannot be reached (ECONNREFUSED)';
      let forMs = 0;
      for (let startedTimes = 1; startedTimes <= 20; startedTimes += 1) {
        const outcome = await run('slack-recap', startedTimes);
        if (outcome.kind !== 'wait') throw new Error(outcome.kind);
        expect(outcome.cause).toBe(cause);
        expect(outcome.forMs).toBeGreaterThanOrEqual(forMs);
        forMs = outcome.forMs;
        nowMs += forMs;
      }
      expect(forMs).toBe(900_000);
      expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(20);
      const back = createSlackEmulator({
        channels: [{ id: 'C0123456789', name: 'meetings' }],
        clock: () => nowMs,
      });
      await back.listen({ port: Number(port) });
      expect(await run('slack-recap', 21)).toEqual({ kind: 'done' });
      expect(back.received()).toHaveLength(1);
      await back.close();
    });

    it.each([
      [
        'the service fails',
        new ServiceError({ code: 'server', status: 502, operation: 'x', detail: 'Ann said yes' }),
        'the report cannot be fetched now: server (502)',
      ],
      ['the report is not ready', undefined, 'the report is not ready'],
    ])('is put aside while %s, and is then sent without a look', async (_what, error, cause) => {
      refusal = error;
      answer = { ready: false, status: 'processing' };
      const data = expect.objectContaining({ restedStarts: 1 }) as EffectJob;
      expect(await run('slack-recap')).toEqual({ kind: 'wait', forMs: 5000, cause, data });
      nowMs += 5000;
      expect(await run('slack-recap', 2)).toMatchObject({ kind: 'wait', forMs: 10_000 });
      expect(JSON.stringify([log.lines, steps])).not.toContain('Ann');
      refusal = undefined;
      answer = { ready: true, report: shortReport };
      nowMs += 10_000;
      expect(await run('slack-recap', 3)).toEqual({ kind: 'done' });
      expect(steps.map((step) => step.kind)).toEqual(['effect_waiting', 'effect_waiting', 'effect_sent']);
    });

    it.each([
      {
        what: 'its destination stays away',
        arrange: async () => vendors.slack.emulator.close(),
        patienceMs: 3 * 86_400_000,
        cause: 'Slack cannot be reached (ECONNREFUSED); it was tried for 3 days',
      },
      {
        what: 'the service does not know its meeting',
        arrange: async () => {
          refusal = new ServiceError({ code: 'not_found', status: 404, operation: 'x' });
        },
        patienceMs: 10 * 60_000,
        cause:
          'the service does not know this meeting, or has deleted its report (404); it was tried for 10 minutes',
      },
      {
        // A worker that is replaced soon may lack a recipe that its successors have.
        what: 'its recipe is gone',
        arrange: async () => {
          jobs = jobs.map((job) => ({ ...job, recipe: 'gone' }));
        },
        recipe: 'gone',
        patienceMs: 3_600_000,
        cause: 'the recipe "gone" is not configured; it was tried for 1 hour',
      },
    ])('waits, and in the end fails visibly, when $what', async (row) => {
      const { arrange, patienceMs, cause, recipe = 'slack-recap' } = row;
      await arrange();
      // The worker was away for long: what counts is how long it has been tried.
      nowMs += patienceMs + 1;
      for (let startedTimes = 1; startedTimes < 5; startedTimes += 1) {
        expect(await run(recipe, startedTimes)).toMatchObject({ kind: 'wait' });
        nowMs += patienceMs / 3;
      }
      expect(await run(recipe, 5)).toEqual({ kind: 'failed', cause });
      expect(await findEntry(recipe)).toMatchObject({ state: 'failed', cause });
      expect(steps.at(-1)?.kind).toBe('effect_failed');
      expect(alerts).toEqual([`${recipe}: ${cause}`]);
    });

    it('gives up after ten looks that settle nothing, and leaves it to a person', async () => {
      rules = { slack: { status: 500 }, notionCreate: 'pass' };
      let outcome = await run('slack-recap');
      let startedTimes = 1;
      while (outcome.kind === 'wait' && startedTimes < 30) {
        nowMs += outcome.forMs + 1;
        startedTimes += 1;
        outcome = await run('slack-recap', startedTimes);
      }
      expect(startedTimes).toBe(11);
      expect(outcome).toEqual({
        kind: 'failed',
        cause: 'Slack answered 500; after 10 tries it is still not known whether it was sent',
      });
      expect(await findEntry('slack-recap')).toMatchObject({ state: 'parked', attempts: 21, probes: 10 });
    });

    it.each<[Preparation, string, string]>([
      [{ result: 'no_recipient', cause: 'no member' }, 'done', 'skipped: no member'],
      [{ result: 'permanent', cause: 'no such channel' }, 'failed', 'failed: no such channel'],
      [{ result: 'not_sent_retry', cause: 'Slack is away' }, 'wait', 'none'],
      [{ result: 'rate_limited', cause: 'limited', retryAfterMs: 9000 }, 'wait', 'none'],
    ])(
      'that cannot be prepared, %j, ends as %s, and the ledger says %s',
      async (preparation, ending, said) => {
        tools = { ...tools, connectors: { ...connectors, prepare: () => Promise.resolve(preparation) } };
        expect((await run('slack-recap')).kind).toBe(ending);
        const entry = await findEntry('slack-recap');
        expect(entry === undefined ? 'none' : `${entry.state}: ${entry.cause}`).toBe(said);
      },
    );

    it('waits while its recipe is paused by hand, and is sent then', async () => {
      const { handPauses } = tools;
      tools = { ...tools, handPauses: { ...handPauses, isPaused: (_kind, name) => name === 'slack-recap' } };
      expect(await run('slack-recap')).toMatchObject({ kind: 'wait', forMs: 30_000 });
      tools = { ...tools, handPauses };
      expect(await run('slack-recap', 2)).toEqual({ kind: 'done' });
      expect(vendors.slack.emulator.received()).toHaveLength(1);
    });

    it('that is a mail is sent once more when it was not confirmed, and then left to a person', async () => {
      vendors.mail.emulator.faults.add({ kind: 'drop_after', on: 'accepted', times: null });
      const first = await run('email-follow-up');
      expect(first).toMatchObject({ kind: 'wait' });
      nowMs += first.kind === 'wait' ? first.forMs : 0;
      expect(await run('email-follow-up', 2)).toMatchObject({
        kind: 'failed',
        cause: expect.stringContaining('it may have arrived, so it is not sent again'),
      });
      expect(await run('email-follow-up', 3)).toMatchObject({ kind: 'failed' });
      expect(vendors.mail.emulator.received()).toHaveLength(2);
    });

    it('of a report that was made anew changes what was sent, and a mail stays as it is', async () => {
      for (const recipe of ['slack-recap', 'notion-page', 'email-follow-up']) await run(recipe);
      planAgain();
      answer = { ready: true, report: { ...shortReport, summary: 'A better summary.' } };
      openTools();
      for (const recipe of ['slack-recap', 'notion-page', 'email-follow-up']) {
        expect(await run(recipe)).toEqual({ kind: 'done' });
      }
      expect(vendors.slack.emulator.received()).toHaveLength(1);
      expect(JSON.stringify(vendors.slack.emulator.received()[0])).toContain('A better summary.');
      expect(vendors.notion.emulator.received()).toHaveLength(1);
      expect(vendors.mail.emulator.received()).toHaveLength(1);
      expect(steps.map((step) => step.kind)).toEqual(['effect_sent', 'effect_sent', 'effect_skipped']);
    });

    it('of the next holding of a series is sent for itself', async () => {
      await run('slack-recap');
      planAgain();
      answer = { ready: true, report: { ...shortReport, startedAt: '2026-07-14T11:00:00Z' } };
      openTools();
      nowMs += 60_000;
      expect(await run('slack-recap')).toEqual({ kind: 'done' });
      expect(vendors.slack.emulator.received()).toHaveLength(2);
    });

    it('of an older delivery that comes late does not undo what a later one sent', async () => {
      const older = jobs;
      planAgain();
      await run('slack-recap');
      jobs = older;
      answer = { ready: true, report: { ...shortReport, summary: 'An older summary.' } };
      openTools();
      nowMs += 1000;
      expect(await run('slack-recap')).toEqual({ kind: 'done' });
      expect(steps.map((step) => step.kind)).toEqual(['effect_skipped']);
      expect(JSON.stringify(vendors.slack.emulator.received())).not.toContain('An older summary.');
    });

    it('is not sent when the transcript turns out to be empty', async () => {
      answer = { ready: true, report: { ...shortReport, isTranscriptEmpty: true } };
      expect(await run('slack-recap')).toEqual({ kind: 'done' });
      expect(steps.map((step) => step.kind)).toEqual(['effect_skipped']);
      expect(await findEntry('slack-recap')).toMatchObject({
        state: 'skipped',
        cause: 'the transcript of this meeting is empty',
      });
      expect(vendors.slack.emulator.received()).toHaveLength(0);
    });

    it('gives its slot back when it has nothing to send or waits for something else, and keeps it else', async () => {
      const left: number[] = [];
      const leave = async (_rateLimit: RateLimit, slotMs: number): Promise<void> => void left.push(slotMs);
      tools = { ...tools, rateLimits: { ...tools.rateLimits, leave } };
      const giveSlots = (...slots: readonly number[]): void => {
        jobs = jobs.map((job, index) => ({ ...job, slotMs: slots[index] ?? nowMs }));
      };
      const [rateLimit] = await tools.rateLimits.reserve([{ name: 'slack C0MEETINGS', gapMs: 1000 }], nowMs);
      giveSlots(rateLimit?.slotMs ?? 0);
      refusal = new ServiceError({ code: 'unauthorized', status: 401, operation: 'x' });
      expect(await run('slack-recap')).toMatchObject({ kind: 'wait', forMs: 30_000 });
      expect(left).toEqual([nowMs]);
      refusal = undefined;
      planAgain();
      giveSlots(nowMs);
      expect(await run('slack-recap')).toEqual({ kind: 'done' });
      expect(left).toHaveLength(1);
      planAgain();
      giveSlots(nowMs);
      answer = { ready: true, report: { ...shortReport, isTranscriptEmpty: true } };
      expect(await run('slack-recap')).toEqual({ kind: 'done' });
      expect(left).toEqual([startMs, nowMs]);
    });

    it('is looked for when an earlier start left no trace, and not again once that is settled', async () => {
      rules = { slack: { status: 429, headers: { 'retry-after': '1' } }, notionCreate: 'pass' };
      const countLooks = (): number => steps.filter((step) => step.kind === 'effect_probed').length;
      const limited = await run('slack-recap', 2);
      // PostgreSQL forgets nothing that it has confirmed: there a start without a trace has sent nothing.
      const looks = kind === 'redis' ? 1 : 0;
      expect(countLooks()).toBe(looks);
      rules = { slack: 'pass', notionCreate: 'pass' };
      nowMs += limited.kind === 'wait' ? limited.forMs : 0;
      expect(await run('slack-recap', 3)).toEqual({ kind: 'done' });
      expect(countLooks()).toBe(looks);
    });

    it('is not parked by a refusal to look: the last failure leaves it to a person', async () => {
      rules = { slack: 'drop_after', notionCreate: 'pass' };
      await run('slack-recap');
      await vendors.slack.emulator.close();
      nowMs += 25_001;
      let startedTimes = 1;
      let outcome: Awaited<ReturnType<typeof run>>;
      do {
        startedTimes += 1;
        outcome = await run('slack-recap', startedTimes);
        nowMs += 86_400_000;
      } while (outcome.kind === 'wait' && startedTimes < 20);
      expect(outcome).toMatchObject({ kind: 'failed', cause: expect.stringContaining('is not known') });
      expect(await findEntry('slack-recap')).toMatchObject({ state: 'parked' });
    });

    it('of a key that was refused for days has all its patience left when the key works again', async () => {
      answer = { ready: true, report: shortReport };
      refusal = new ServiceError({ code: 'unauthorized', status: 401, operation: 'x' });
      for (let startedTimes = 1; startedTimes <= 50; startedTimes += 1) {
        expect(await run('slack-recap', startedTimes)).toMatchObject({ kind: 'wait', forMs: 30_000 });
        nowMs += 2 * 3_600_000;
      }
      refusal = new ServiceError({ code: 'server', status: 503, operation: 'x' });
      expect(await run('slack-recap', 51)).toMatchObject({ kind: 'wait', forMs: 5000 });
    });

    it('looks at what was sent of its meeting before it sends what was not there', async () => {
      // The first one is left to a person; a second one of the same report goes; then the first is tried again.
      rules = { slack: { status: 500 }, notionCreate: 'pass' };
      await run('slack-recap');
      const [first] = jobs.filter(({ recipe }) => recipe === 'slack-recap');
      const key = first?.effectKey ?? '';
      nowMs += 25_001;
      expect(await ledger.decide(key, 'not_sent', nowMs)).toBe('unknown');
      const older = jobs;
      rules = { slack: 'pass', notionCreate: 'pass' };
      planAgain();
      expect(await run('slack-recap')).toEqual({ kind: 'done' });
      jobs = older;
      nowMs += 1000;
      expect(await run('slack-recap', 2)).toEqual({ kind: 'done' });
      expect(vendors.slack.emulator.received()).toHaveLength(1);
      expect(await findEntry('slack-recap')).toMatchObject({ state: 'skipped' });
    });

    it('that meets an error again and again is told of each time, and fails visibly in the end', async () => {
      const broken = () => Promise.reject(new TypeError('Ann said yes'));
      tools = { ...tools, connectors: { ...connectors, prepare: broken } };
      const [planned] = jobs;
      if (planned === undefined) throw new Error('nothing is planned');
      const take = (attempt: number) =>
        deliverEffect(
          {
            id: planned.effectKey,
            data: planned,
            attempt,
            startedTimes: attempt,
            maxAttempts: 2,
            dueAtMs: nowMs,
          },
          tools,
        );
      await expect(take(1)).rejects.toThrow('Ann');
      nowMs += 60_000;
      const cause = 'unexpected error, 2 times (TypeError)';
      expect(await take(2)).toMatchObject({ kind: 'failed' });
      expect(log.lines.map(({ level }) => level)).toEqual(['warn', 'error']);
      expect(alerts[0]).toContain(cause);
      expect(JSON.stringify([log.lines, steps, alerts])).not.toContain('Ann');
    });

    it('leaves no content and no address in log lines and steps', async () => {
      for (const job of jobs) {
        await deliverEffect(
          { id: job.effectKey, data: job, attempt: 1, startedTimes: 1, maxAttempts: 12, dueAtMs: nowMs },
          tools,
        );
        nowMs += 1000;
      }
      const told = JSON.stringify([log.lines, steps]);
      expect(log.lines.length).toBeGreaterThan(0);
      for (const secret of ['ann@example.com', 'bob@example.com', 'Weekly', 'agreed', 'xoxb', 'ntn_']) {
        expect(told).not.toContain(secret);
      }
    });
  },
  ['redis', 'postgres'],
);
