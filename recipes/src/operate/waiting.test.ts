import type { EffectJob, StoredJob } from '@aftermeet/queue';
import { describe, expect, it } from 'vitest';

import type { LedgerEntry } from '../engine/ledger/ledger.ts';
import { createMemoryTools } from '../testing/memory-tools.ts';
import { sampleEvent } from '../testing/sample-report.ts';
import { describeQueued, explainWait, listWaiting } from './waiting.ts';

const NOW_MS = Date.parse('2026-11-26T06:00:00Z');

function makeJob(changes: Partial<EffectJob> = {}): EffectJob {
  const { effectKey = 'e1'.repeat(32), ...rest } = changes;
  return {
    effectKey,
    destination: 'slack',
    recipe: 'recap',
    target: 'ann@example.com',
    part: 0,
    event: sampleEvent,
    ...rest,
  };
}

const notReady = { why: 'report_not_ready', cause: 'the report is not ready', start: 2 };
const keyRefused = { why: 'key_refused', cause: 'the service refused the API key (401)', start: 1 };

describe('explainWait', () => {
  it.each<[string, Partial<StoredJob<'effect'>>, unknown]>([
    [
      'a wait that its last start noted',
      { state: 'delayed', startedTimes: 2, dueAtMs: 7, data: makeJob({ lastWait: notReady }) },
      { why: 'report_not_ready', cause: 'the report is not ready', nextTryMs: 7 },
    ],
    [
      'the same, due now',
      { state: 'waiting', startedTimes: 2, data: makeJob({ lastWait: notReady }) },
      { why: 'report_not_ready', cause: 'the report is not ready' },
    ],
    [
      'an error after that wait',
      { state: 'delayed', startedTimes: 3, dueAtMs: 7, data: makeJob({ lastWait: notReady }) },
      {
        why: 'error',
        cause: 'its last try ended with an unexpected error: see the log of the worker',
        nextTryMs: 7,
      },
    ],
    [
      'a slot from its planning',
      { state: 'delayed', dueAtMs: 7, data: makeJob() },
      { why: 'slot', cause: 'the rate limit of its destination: others go first', nextTryMs: 7 },
    ],
    [
      'a queue',
      { state: 'waiting', data: makeJob() },
      { why: 'queued', cause: 'no worker has taken it yet' },
    ],
    ['a worker', { state: 'active', startedTimes: 1 }, { why: 'under_way', cause: 'a worker has it now' }],
    ['nothing: it is over', { state: 'failed', startedTimes: 1 }, undefined],
  ])('names %s', (_what, changes, wait) => {
    expect(explainWait({ state: 'waiting', startedTimes: 0, ...changes })).toEqual(wait);
  });
});

it('describes a queued effect as the ledger would, with the hash of its target', () => {
  const entry = describeQueued({ id: 'x', data: makeJob(), state: 'delayed', addedAtMs: 5, startedTimes: 0 });
  expect(entry).toMatchObject({
    recipe: 'recap',
    meetingId: 'm_1',
    state: 'pending',
    attempts: 0,
    changedAtMs: 5,
  });
  expect(JSON.stringify(entry)).not.toContain('ann@');
});

describe('listWaiting', () => {
  function arrange(
    jobs: readonly (Partial<EffectJob> &
      Partial<Pick<StoredJob<'effect'>, 'state' | 'dueAtMs' | 'startedTimes'>>)[],
  ) {
    const tools = createMemoryTools(NOW_MS);
    for (const { state = 'delayed', dueAtMs, startedTimes = 0, ...changes } of jobs) {
      const data = makeJob(changes);
      const due = dueAtMs === undefined ? {} : { dueAtMs };
      tools.effects.set(data.effectKey, {
        id: data.effectKey,
        data,
        state,
        addedAtMs: 0,
        startedTimes,
        ...due,
      });
    }
    return tools;
  }

  const read = async (
    tools: ReturnType<typeof arrange>,
    selection: { limit: number; recipe?: string; meetingId?: string },
  ) => {
    const { effects, ...rest } = await listWaiting(selection, tools);
    return { keys: effects.map(({ entry }) => entry.effectKey), ...rest };
  };

  it('begins with what needs a person, then what has met an obstacle, then the next due', async () => {
    const tools = arrange([
      { effectKey: 'later', dueAtMs: 9 },
      { effectKey: 'sooner', dueAtMs: 8 },
      { effectKey: 'queued', state: 'waiting', destination: 'http' },
      { effectKey: 'report', dueAtMs: 99, startedTimes: 2, lastWait: notReady },
      { effectKey: 'key', dueAtMs: 999, startedTimes: 1, lastWait: keyRefused, destination: 'email' },
      { effectKey: 'over', state: 'failed' },
    ]);
    expect(await read(tools, { limit: 10 })).toEqual({
      isKeyRefused: true,
      paused: [],
      keys: ['key', 'report', 'queued', 'sooner', 'later'],
      total: 5,
    });
    expect(await read(tools, { limit: 2 })).toEqual({
      isKeyRefused: true,
      paused: [],
      keys: ['key', 'report'],
      total: 5,
    });
  });

  it('takes the entry of the ledger, and leaves out what is over or listed there', async () => {
    const tools = arrange([{ effectKey: 'pending' }, { effectKey: 'sent' }, { effectKey: 'unknown' }]);
    for (const state of ['pending', 'sent', 'unknown'] as const) {
      const job = tools.effects.get(state);
      const entry: LedgerEntry | undefined = job && describeQueued(job);
      if (entry !== undefined) tools.entries.set(state, { ...entry, state, attempts: 4 });
    }
    const { effects, total } = await listWaiting({ limit: 10 }, tools);
    expect(effects).toMatchObject([{ entry: { effectKey: 'pending', attempts: 4 }, wait: { why: 'slot' } }]);
    expect(total).toBe(1);
  });

  it('counts a large backlog without reading all of it, unless one meeting or recipe is asked for', async () => {
    const tools = arrange(
      Array.from({ length: 2000 }, (_, index) => ({
        effectKey: `e-${index}`,
        dueAtMs: index,
        recipe: index % 2 === 0 ? 'recap' : 'mail',
      })),
    );
    let isRead = 0;
    const { jobAdmin } = tools;
    const counting = {
      ...tools,
      jobAdmin: {
        ...jobAdmin,
        async *listEffects(...asked: Parameters<typeof jobAdmin.listEffects>) {
          for await (const job of jobAdmin.listEffects(...asked)) {
            isRead += 1;
            yield job;
          }
        },
      },
    };
    expect(await read(counting, { limit: 2 })).toEqual({
      isKeyRefused: false,
      paused: [],
      keys: ['e-0', 'e-1'],
      total: 2000,
    });
    expect(isRead).toBe(501);
    // The one that waits for it is not among those that were looked at.
    const refused = { ...counting, isKeyRefused: async () => true };
    expect(await read(refused, { limit: 2 })).toMatchObject({ isKeyRefused: true });
    expect(await read(counting, { limit: 2, recipe: 'mail' })).toEqual({
      isKeyRefused: false,
      paused: [],
      keys: ['e-1', 'e-3'],
      total: 1000,
    });
    expect(await read(counting, { limit: 2, meetingId: 'm_2' })).toEqual({
      isKeyRefused: false,
      paused: [],
      keys: [],
      total: 0,
    });
    expect((await read(counting, { limit: Infinity })).keys).toHaveLength(2000);
  });
});
