import { type ReportAnswer, type ReportReader, ServiceError } from '@aftermeet/client';
import { type Backend, type EffectJob, openBackend, silentLog } from '@aftermeet/queue';
import {
  createSlackStandIn,
  createVendorStandIns,
  type Interception,
  type VendorStandIns,
} from '@aftermeet/sandbox';
import { describeEachStore, openTestStore, type TestStore } from '@aftermeet/test/support';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';

import { bindRecipes } from './bind-recipes.ts';
import type { Destinations } from './destinations.ts';
import { createDigestSource } from './digest-source.ts';
import type { Ledger } from './ledger/ledger.ts';
import { openLedger } from './ledger/open-ledger.ts';
import { type Carriers, openCarriers } from './open-carriers.ts';
import { createPace } from './pace.ts';
import { planEffects } from './plan-effects.ts';
import { type RecipeTools, runRecipe } from './run-recipe.ts';
import { createServicePause } from './service-pause.ts';
import { standardRecipes } from './standard-recipes.ts';
import { type KeptLog, keepLog } from './testing/keep-log.ts';
import { sampleReport } from './testing/sample-report.ts';
import type { WorkerStep } from './worker-step.ts';

const startMs = Date.now();

describeEachStore(
  'an effect',
  (kind) => {
    let store: TestStore;
    let backend: Backend;
    let vendors: VendorStandIns;
    let rules: { slack: Interception; notionCreate: Interception };
    let ledger: Ledger;
    let carriers: Carriers;
    let nowMs: number;
    let answer: ReportAnswer;
    let refusal: ServiceError | undefined;
    let steps: WorkerStep[];
    let log: KeptLog;
    let tools: RecipeTools;
    let jobs: readonly EffectJob[];
    let lastMeeting = 0;

    beforeAll(async () => {
      store = await openTestStore(kind);
      backend = await openBackend(store.queueUrl, { log: silentLog });
      ledger = await openLedger(backend, silentLog);
    });
    afterAll(async () => {
      await ledger.close();
      await backend.close();
      await store.dispose();
    });

    beforeEach(async () => {
      rules = { slack: 'pass', notionCreate: 'pass' };
      nowMs = startMs;
      vendors = await createVendorStandIns({
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
      answer = { ready: true, report: sampleReport };
      refusal = undefined;
      openTools();
      lastMeeting += 1;
      jobs = planJobs({
        event: 'meeting.completed',
        data: { title: 'Weekly sync', is_transcript_empty: false },
      });
    });
    afterEach(async () => {
      await carriers.close();
      await vendors.close();
    });

    function listDestinations(): Destinations {
      return {
        slack: { token: 'xoxb-test', apiUrl: vendors.slack.apiUrl, channel: 'C0123456789' },
        notion: { token: 'ntn_test', baseUrl: vendors.notion.url, dataSourceId: vendors.notion.dataSourceId },
        mail: {
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
      carriers = openCarriers(listDestinations(), readClock);
      steps = [];
      log = keepLog();
      tools = {
        recipes: new Map(recipes.map((recipe) => [recipe.name, recipe])),
        carriers,
        ledger,
        log,
        clock: readClock,
        pace: createPace(4, readClock),
        pause: createServicePause(log, readClock),
        digests: createDigestSource(client, readClock, () => {}),
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
            timestamp: '2026-07-07T12:00:00Z',
            ...body,
          }),
        },
        { workspace: 'active', recipes: [...tools.recipes.values()], endpointRecipes: {} },
      );
      if (!plan.ok) throw new Error(plan.cause);
      return plan.effects;
    }

    async function run(recipe: string, startedTimes = 1) {
      const data = jobs.find((job) => job.recipe === recipe);
      if (data === undefined) throw new Error(`no effect of ${recipe}`);
      return runRecipe({ id: data.effectKey, data, attempt: 1, startedTimes, maxAttempts: 12 }, tools);
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
      expect(vendors.slack.standIn.received()).toHaveLength(1);
      expect(vendors.notion.standIn.received()).toHaveLength(1);
      expect(vendors.mail.standIn.received()).toHaveLength(1);
      expect(steps[0]).toMatchObject({
        kind: 'effect_sent',
        destination: 'slack',
        reference: `C0123456789/${vendors.slack.standIn.received()[0]?.ts ?? ''}`,
      });
    });

    it('is sent once by two workers that have its job at the same time', async () => {
      const outcomes = await Promise.all([
        run('slack-recap'),
        run('slack-recap'),
        run('notion-page'),
        run('notion-page'),
      ]);
      // The slower one waits for the faster one's lease, or comes after it and finds it sent.
      const kinds = outcomes.map(({ kind: outcome }) => outcome);
      expect(new Set(kinds.slice(0, 2))).toContain('done');
      expect(new Set(kinds.slice(2))).toContain('done');
      expect(kinds).not.toContain('failed');
      expect(vendors.slack.standIn.received()).toHaveLength(1);
      expect(vendors.notion.standIn.received()).toHaveLength(1);
    });

    it('is found, not repeated, when its answer was lost', async () => {
      rules = { slack: 'drop_after', notionCreate: 'drop_after' };
      expect(await run('slack-recap')).toMatchObject({ kind: 'wait', forMs: 15_000 });
      expect(await run('notion-page')).toMatchObject({ kind: 'wait', forMs: 15_000 });
      rules = { slack: 'pass', notionCreate: 'pass' };
      nowMs += 15_001;
      expect(await run('slack-recap', 2)).toEqual({ kind: 'done' });
      expect(await run('notion-page', 2)).toEqual({ kind: 'done' });
      expect(vendors.slack.standIn.received()).toHaveLength(1);
      expect(vendors.notion.standIn.received()).toHaveLength(1);
    });

    it('waits for the end of the lease before it looks', async () => {
      rules = { slack: 'drop_after', notionCreate: 'pass' };
      await run('slack-recap');
      nowMs += 5000;
      expect(await run('slack-recap', 2)).toMatchObject({ kind: 'wait', forMs: 10_000 });
    });

    it('is sent after all when an attempt that was cut off had no effect', async () => {
      rules = { slack: { status: 500 }, notionCreate: { status: 500 } };
      await run('slack-recap');
      await run('notion-page');
      rules = { slack: 'pass', notionCreate: 'pass' };
      nowMs += 15_001;
      expect(await run('slack-recap', 2)).toEqual({ kind: 'done' });
      expect(await run('notion-page', 2)).toEqual({ kind: 'done' });
      expect(vendors.slack.standIn.received()).toHaveLength(1);
      expect(vendors.notion.standIn.received()).toHaveLength(1);
    });

    it('is found by the next process when this one died between the call and its outcome', async () => {
      const deadLedger: Ledger = { ...ledger, settle: () => Promise.reject(new Error('killed')) };
      const alive = tools;
      tools = { ...tools, ledger: deadLedger };
      await expect(run('slack-recap')).rejects.toThrow('killed');
      tools = alive;
      nowMs += 31_000;
      expect(await run('slack-recap', 2)).toEqual({ kind: 'done' });
      expect(vendors.slack.standIn.received()).toHaveLength(1);
    });

    it('waits as long as a 429 says, and so do the others of its channel', async () => {
      rules = { slack: { status: 429, headers: { 'retry-after': '20' } }, notionCreate: 'pass' };
      expect(await run('slack-recap')).toMatchObject({ kind: 'wait', forMs: 20_000 });
      lastMeeting += 1;
      jobs = planJobs({ event: 'meeting.failed', data: { title: 'Other' } });
      expect(await run('slack-alert')).toMatchObject({ kind: 'wait', forMs: 20_000 });
      rules = { slack: 'pass', notionCreate: 'pass' };
      nowMs += 20_000;
      expect(await run('slack-alert', 2)).toEqual({ kind: 'done' });
    });

    it('fails for good, and says why, when the destination will never take it', async () => {
      jobs = jobs.map((job) => ({ ...job, target: 'C0000000000', effectKey: `wrong-${job.effectKey}` }));
      const expected = {
        kind: 'failed',
        cause:
          "Slack answered channel_not_found: check the channel's id, and invite the app to a private channel",
      };
      expect(await run('slack-recap')).toEqual(expected);
      expect(await run('slack-recap', 2)).toEqual(expected);
    });

    it('is put aside, and burns no attempt, while its destination is away, and is sent when it is back', async () => {
      const { port } = new URL(vendors.slack.apiUrl);
      await vendors.slack.standIn.close();
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
      const back = createSlackStandIn({
        channels: [{ id: 'C0123456789', name: 'meetings' }],
        clock: () => nowMs,
      });
      await back.listen({ port: Number(port) });
      expect(await run('slack-recap', 21)).toEqual({ kind: 'done' });
      expect(back.received()).toHaveLength(1);
      await back.close();
    });

    it('fails visibly when its destination stays away for three days', async () => {
      await vendors.slack.standIn.close();
      nowMs += 3 * 86_400_000 + 1;
      for (let startedTimes = 1; startedTimes < 12; startedTimes += 1) {
        expect(await run('slack-recap', startedTimes)).toMatchObject({ kind: 'wait' });
        nowMs += 1000;
      }
      expect(await run('slack-recap', 12)).toEqual({
        kind: 'failed',
        cause: 'Slack cannot be reached (ECONNREFUSED); it was tried until the event was 3 days old',
      });
    });

    it('is put aside, and repeats nothing of the answer, while the service fails', async () => {
      const error = new ServiceError({ code: 'server', status: 502, doing: 'x', detail: 'Ann said yes' });
      refusal = error;
      expect(await run('slack-recap')).toEqual({
        kind: 'wait',
        forMs: 5000,
        cause: 'the report cannot be fetched now: server (502)',
      });
      nowMs += 5000;
      expect(await run('slack-recap', 2)).toMatchObject({ kind: 'wait', forMs: 10_000 });
      expect(JSON.stringify([log.lines, steps])).not.toContain('Ann');
      refusal = undefined;
      nowMs += 10_000;
      expect(await run('slack-recap', 3)).toEqual({ kind: 'done' });
    });

    it('comes to rest while the report is not ready, and is then sent without a look', async () => {
      answer = { ready: false, status: 'processing' };
      expect(await run('slack-recap')).toMatchObject({ kind: 'wait', forMs: 5000 });
      nowMs += 5000;
      expect(await run('slack-recap', 2)).toMatchObject({ kind: 'wait', forMs: 10_000 });
      answer = { ready: true, report: sampleReport };
      nowMs += 10_000;
      expect(await run('slack-recap', 3)).toEqual({ kind: 'done' });
      expect(steps.map((step) => step.kind)).toEqual(['effect_waiting', 'effect_waiting', 'effect_sent']);
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
    });

    it('of a recipe that is gone fails with that', async () => {
      jobs = jobs.map((job) => ({ ...job, recipe: 'gone' }));
      expect(await run('gone')).toEqual({
        kind: 'failed',
        cause: 'the recipe "gone" is not configured any more',
      });
    });

    it('leaves no content and no address in log lines and steps', async () => {
      for (const job of jobs) {
        await runRecipe(
          { id: job.effectKey, data: job, attempt: 1, startedTimes: 1, maxAttempts: 12 },
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
