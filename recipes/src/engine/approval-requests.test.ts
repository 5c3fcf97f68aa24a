import type { EffectJob } from '@aftermeet/queue';
import { describe, expect, it } from 'vitest';

import { builtIn } from '../destinations/index.ts';
import { bindRecipes } from '../prebuilt/bind-recipes.ts';
import { sampleEvent } from '../testing/sample-report.ts';
import {
  type ApprovalRecord,
  askForApproval,
  type AskingForApprovalTools,
  composeRequest,
} from './approval-requests.ts';
import { openConnectors } from './destination.ts';
import type { LedgerEntry } from './ledger/ledger.ts';
import { createPolicies } from './limits/policy.ts';

const NOW_MS = Date.parse('2026-07-07T12:00:00Z');
const DAY_MS = 24 * 60 * 60 * 1000;
const CONTENT = 'c'.repeat(64);
const destinations = {
  slack: { token: 'xoxb-1', channel: 'C0RECAP' },
  email: { smtpUrl: 'smtp://127.0.0.1', from: 'bot@example.com', to: [] },
};

const bound = bindRecipes(
  [
    {
      name: 'follow-up',
      use: 'email-follow-up',
      when: {},
      with: { to: 'all' },
      approve: { slack: 'C0APPROVE', by: ['U0ANNA'], expires: '2d' },
    },
  ],
  destinations,
);
const recipe = takeFirst(bound);

function takeFirst<Value>([value]: readonly Value[]): Value {
  if (value === undefined) throw new Error('there is none');
  return value;
}

const held: EffectJob = {
  effectKey: 'e'.repeat(64),
  destination: 'email',
  recipe: 'follow-up',
  target: 'cleo@partner.example',
  part: 0,
  event: { ...sampleEvent, title: 'Weekly' },
};

async function ask(approved?: string) {
  const added: { readonly job: EffectJob; readonly delayMs?: number }[] = [];
  const tools: AskingForApprovalTools = {
    queue: {
      addEffects: async (jobs) => void added.push(...jobs),
      findQueued: async () => new Set(),
    },
    rateLimits: { reserve: async (limits) => limits.map(() => ({ slotMs: NOW_MS, atMs: NOW_MS, place: 1 })) },
    policies: createPolicies(builtIn, {}),
    ledger: { readApproval: async () => approved },
    recipes: new Map([[recipe.name, recipe]]),
    workspace: 'active',
    clock: () => NOW_MS,
  };
  await askForApproval(held, tools);
  return added;
}

async function compose(job: EffectJob, state: LedgerEntry['state'] = 'held') {
  const kept = new Map<string, ApprovalRecord>();
  const connectors = openConnectors(
    builtIn.slice(0, 3).map((destination) => ({ destination, settings: destinations })),
    { policies: createPolicies(builtIn, {}), clock: () => NOW_MS },
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a request looks at nothing else
  const entry = { state, recipe: 'follow-up' } as LedgerEntry;
  const asked: EffectJob[] = [];
  const composition = await composeRequest(
    job,
    job.held ?? { ...held, eventKind: '' },
    recipe,
    {
      ledger: { read: async () => entry },
      connectors,
      linkTo: async () => undefined,
      keepRequest: async (id, record) => void kept.set(id, record),
      clock: () => NOW_MS,
    },
    async ({ data }) => {
      asked.push(data);
      const message = { subject: 'Weekly, in short', text: 'We agreed.', html: '' };
      const dedupe = { key: 'k', meetingStart: '', contentHash: CONTENT };
      return { kind: 'composed', rendered: { destination: 'email', message }, dedupe };
    },
  );
  await connectors.close();
  return { composition, kept: [...kept], asked };
}

describe('askForApproval', () => {
  it('asks now and after a day, under keys that are the same when it is asked again', async () => {
    const [request, reminder, ...others] = await ask();
    expect(others).toEqual([]);
    expect([request?.delayMs, reminder?.delayMs]).toEqual([undefined, DAY_MS]);
    expect([request, reminder].map((one) => [one?.job.destination, one?.job.target, one?.job.part])).toEqual([
      ['slack', 'C0APPROVE', 0],
      ['slack', 'C0APPROVE', 1],
    ]);
    expect(request?.job.event.kind).toBe('approval.requested');
    const again = await ask();
    expect(again.map(({ job }) => job.effectKey)).toEqual([request?.job.effectKey, reminder?.job.effectKey]);
  });

  it('asks anew for what is held again after an approval', async () => {
    const [first] = await ask();
    const [second] = await ask('d'.repeat(64));
    expect(second?.job.effectKey).not.toBe(first?.job.effectKey);
  });
});

describe('composeRequest', () => {
  it('shows the effect as it would be sent, and keeps what an answer counts for', async () => {
    const [request, reminder] = await ask();
    if (request === undefined || reminder === undefined) throw new Error('it asks nobody');
    const { composition, kept, asked } = await compose(request.job);
    const id = `${request.job.effectKey}${CONTENT.slice(0, 16)}`;
    expect(asked).toEqual([held]);
    expect(kept).toEqual([
      [
        id,
        {
          effectKey: held.effectKey,
          contentHash: CONTENT,
          destination: 'slack',
          target: 'C0APPROVE',
          by: ['U0ANNA'],
          to: 'cleo@partner.example',
          subject: 'Weekly, in short',
          expiresAtMs: NOW_MS + 2 * DAY_MS,
        },
      ],
    ]);
    if (composition.kind !== 'composed') throw new Error(composition.kind);
    expect(composition.rendered.message).toMatchObject({
      text: 'Waits for approval: Weekly\nTo cleo@partner.example\nSubject: Weekly, in short\n\nWe agreed.',
    });
    expect(JSON.stringify(composition.rendered.message)).toContain(`"value":"${id}"`);
    const reminded = await compose(reminder.job);
    expect(JSON.stringify(reminded.composition)).toContain('Still waits for approval: Weekly');
  });

  it('asks nobody about what does not wait, and in no channel that the recipe does not name', async () => {
    const [request] = await ask();
    if (request === undefined) throw new Error('it asks nobody');
    for (const state of ['sent', 'skipped', 'pending'] as const) {
      const { composition, kept } = await compose(request.job, state);
      expect([composition, kept]).toEqual([
        { kind: 'skipped', cause: 'it does not wait for approval any more' },
        [],
      ]);
    }
    const forged = await compose({ ...request.job, target: 'C0GENERAL' });
    expect(forged).toEqual({
      composition: { kind: 'skipped', cause: 'the recipe does not ask there' },
      kept: [],
      asked: [],
    });
  });
});
