import type { EventJob } from '@aftermeet/queue';
import { beforeEach, describe, expect, it } from 'vitest';

import {
  createMemoryTools,
  makeEntry,
  type MemoryTools,
  storeEffect,
  storeEvent,
} from '../testing/memory-tools.ts';
import { createPlanner } from './operator-tools.ts';
import { classifyDelivery, replayAll, replayDelivery, type ReplayedDelivery } from './replay.ts';

const nowMs = Date.parse('2026-07-07T13:00:00Z');

const plan = createPlanner({
  workspace: 'active',
  endpointRecipes: {},
  destinations: {
    slack: { token: 'xoxb-1', channel: 'C0123' },
    email: { smtpUrl: 'smtp://127.0.0.1', from: 'a@example.com', to: ['ann@example.com'] },
  },
  recipes: [
    { name: 'recap', use: 'slack-recap', when: {}, with: {} },
    { name: 'mail', use: 'email-follow-up', when: {}, with: {} },
    { name: 'alert', use: 'slack-alert', when: {}, with: {} },
  ],
});

function writeDelivery(changes: Partial<EventJob> = {}, kind = 'meeting.completed'): EventJob {
  return {
    endpoint: 'default',
    key: 'secret-part',
    receivedAt: '2026-07-07T12:00:05.000Z',
    body: JSON.stringify({
      event: kind,
      meeting_id: 'm_1',
      timestamp: '2026-07-07T12:00:00Z',
      data: { title: 'Sync', is_transcript_empty: false },
    }),
    ...changes,
  };
}

function listPlanned(job: EventJob) {
  const planned = plan(job, 'd1');
  if (!planned.ok) throw new Error(planned.cause);
  return planned.effects;
}

describe('replayDelivery', () => {
  let tools: MemoryTools;
  const job = writeDelivery();
  const [recap, mail] = listPlanned(job);
  if (recap === undefined || mail === undefined) throw new Error('two effects are planned');
  const replay = (options = {}, delivery = storeEvent('d1', job, nowMs)) =>
    replayDelivery(delivery, options, { ...tools, plan });
  const verdicts = async (options = {}) =>
    (await replay(options)).effects.map((effect) => `${effect.recipe} ${effect.verdict}`);

  beforeEach(async () => {
    tools = createMemoryTools(nowMs);
    tools.seen.set('m_1', {
      meetingId: 'm_1',
      seenAtMs: nowMs,
      completedAt: '2026-07-07T12:00:00Z',
      endpoint: 'default',
    });
  });

  it('queues new effects once, under the keys of the worker', async () => {
    expect(await verdicts()).toEqual(['recap new', 'mail new']);
    expect(await verdicts()).toEqual(['recap waiting', 'mail waiting']);
    expect(tools.changes).toEqual([`add ${recap.effectKey}`, `add ${mail.effectKey}`]);
    const lastWait = { why: 'key_refused', cause: 'the key is refused', start: 1 };
    tools.effects.set(recap.effectKey, storeEffect({ ...recap, lastWait }, 'delayed'));
    expect((await replay()).effects[0]).toMatchObject({ verdict: 'waiting', cause: 'the key is refused' });
    // SHA-256 of ["active","recap","meeting.completed","m_1","2026-07-07T12:00:00Z","C0123",0].
    expect(recap.effectKey).toBe('62d25587d9090a8071d16af4be7f52a4bb90824b16a10d94d5f4eed2f1f0f945');
  });

  it('changes nothing in a dry run', async () => {
    tools.seen.clear();
    expect(await verdicts({ isDryRun: true })).toEqual(['recap new', 'mail new']);
    expect(tools.changes).toEqual([]);
  });

  it('takes many in their order, and says which are not stored any more', async () => {
    for (const id of ['d1', 'd2', 'd3']) {
      const body = job.body.replace('m_1', `m_${id}`);
      tools.events.set(id, storeEvent(id, writeDelivery({ body }), nowMs));
    }
    const verdictsOf = async (options: { isDryRun?: boolean }): Promise<string[]> => {
      const found: (ReplayedDelivery | undefined)[] = [];
      const ids = ['d3', 'none', 'd1', 'd2'];
      for await (const one of replayAll(ids, options, { ...tools, plan })) found.push(one);
      return found.map((one) =>
        one === undefined
          ? 'gone'
          : [one.delivery.id, ...one.effects.map(({ verdict }) => verdict)].join(' '),
      );
    };
    const asNew = ['d3 new new', 'gone', 'd1 new new', 'd2 new new'];
    expect(await verdictsOf({ isDryRun: true })).toEqual(asNew);
    expect(tools.changes).toEqual([]);
    expect(await verdictsOf({})).toEqual(asNew);
    expect(tools.changes.filter((change) => change.startsWith('note'))).toEqual([
      'note m_d3',
      'note m_d1',
      'note m_d2',
    ]);
    expect(await verdictsOf({})).toEqual([
      'd3 waiting waiting',
      'gone',
      'd1 waiting waiting',
      'd2 waiting waiting',
    ]);
  });

  it('restricts itself to one recipe', async () => {
    expect(await verdicts({ recipe: 'mail' })).toEqual(['mail new']);
    expect(tools.changes).toEqual([`add ${mail.effectKey}`]);
  });

  it('leaves what was sent, and tries what has failed again by its own job', async () => {
    tools.entries.set(recap.effectKey, makeEntry({ effectKey: recap.effectKey, state: 'sent' }));
    tools.entries.set(mail.effectKey, makeEntry({ effectKey: mail.effectKey, state: 'failed' }));
    tools.effects.set(mail.effectKey, storeEffect(mail, 'failed'));
    expect(await verdicts()).toEqual(['recap sent', 'mail failed']);
    expect(tools.changes).toEqual([`repeat ${mail.effectKey}`]);
    expect(tools.entries.get(mail.effectKey)?.state).toBe('pending');
    expect(await verdicts()).toEqual(['recap sent', 'mail waiting']);
    expect(tools.changes).toHaveLength(1);
  });

  it('names a delivery whose data cannot be read', async () => {
    const cause = 'the stored job has no body';
    const replayed = await replay({}, { ...storeEvent('d2', undefined, nowMs), state: 'failed', cause });
    expect(replayed).toMatchObject({ delivery: { id: 'd2', cause }, effects: [], refused: cause });
  });

  it('leaves a delivery that waits to its worker', async () => {
    const replayed = await replay({}, { ...storeEvent('d1', job, nowMs), state: 'waiting' });
    expect(replayed).toMatchObject({ effects: [], refused: 'no worker has taken it yet' });
  });

  it('refuses what is older than the ledger remembers, unless it is forced', async () => {
    const old = storeEvent('d1', writeDelivery({ receivedAt: '2026-05-07T12:59:59.000Z' }), nowMs);
    expect((await replay({}, old)).refused).toContain('older than the ledger remembers');
    expect(tools.changes).toEqual([]);
    expect((await replay({ isForced: true }, old)).effects).toHaveLength(2);
  });

  it('refuses a test delivery', async () => {
    const data = { title: 'Test meeting', aftermeet_test: true };
    const body = JSON.stringify({
      event: 'meeting.completed',
      meeting_id: 'm_test',
      timestamp: job.receivedAt,
      data,
    });
    const test = storeEvent('d1', writeDelivery({ body }), nowMs);
    expect(await replay({ isForced: true }, test)).toMatchObject({
      delivery: { meetingId: 'm_test', isTest: true },
      effects: [],
      refused: 'it is a test delivery: no recipe runs on it',
    });
    expect(tools.changes).toEqual([]);
  });

  it('tells no failure of a meeting that has completed since', async () => {
    tools.seen.set('m_1', {
      meetingId: 'm_1',
      seenAtMs: nowMs,
      completedAt: '2026-07-07T12:30:00Z',
      endpoint: 'default',
    });
    const failed = storeEvent('d1', writeDelivery({}, 'meeting.failed'), nowMs);
    expect((await replay({}, failed)).refused).toContain('has completed since');
    tools.seen.clear();
    expect((await replay({}, failed)).effects).toMatchObject([{ recipe: 'alert', verdict: 'new' }]);
  });

  it('notes a meeting whose delivery was never planned, so that it is not reconciled too', async () => {
    tools.seen.clear();
    await replay({}, { ...storeEvent('d1', job, nowMs), state: 'failed' });
    expect(tools.seen.get('m_1')).toEqual({
      meetingId: 'm_1',
      seenAtMs: nowMs,
      completedAt: '2026-07-07T12:00:00Z',
      endpoint: 'default',
    });
  });

  it('never shows the secret part of the address, a target or the body', async () => {
    const text = JSON.stringify(await replay());
    expect(text).not.toMatch(/secret-part|ann@example|C0123|data/);
  });
});

describe('classifyDelivery', () => {
  it('says where the effects stand and changes nothing', async () => {
    const tools = createMemoryTools(nowMs);
    const job = writeDelivery();
    const [recap] = listPlanned(job);
    if (recap === undefined) throw new Error('an effect is planned');
    tools.entries.set(recap.effectKey, makeEntry({ effectKey: recap.effectKey, state: 'sent' }));
    const classified = await classifyDelivery(storeEvent('d1', job, nowMs), { ...tools, plan });
    expect(classified.map(({ recipe, verdict }) => [recipe, verdict])).toEqual([
      ['recap', 'sent'],
      ['mail', 'new'],
    ]);
    expect(await classifyDelivery(storeEvent('d2', undefined, nowMs), { ...tools, plan })).toEqual([]);
    expect(tools.changes).toEqual([]);
  });
});
