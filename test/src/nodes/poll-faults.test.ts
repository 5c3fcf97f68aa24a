import { ServiceError } from '@aftermeet/client/pure';
import { describe, expect, it } from 'vitest';

import {
  findPhases,
  MAX_STATUS_REQUESTS,
  type PollSource,
} from '../../../nodes/nodes/AftermeetPollTrigger/poll-meetings.ts';
import type { Candidate } from '../../../nodes/nodes/AftermeetPollTrigger/poll-state.ts';
import { openPollModel } from './support/poll-model.ts';

const DAY_MS = 86_400_000;

describe('one meeting whose state can never be asked', () => {
  const codes = ['server', 'forbidden', 'conflict', 'unexpected_status', 'timeout'] as const;

  it.each(codes)('holds up no others, and is emitted once it can be asked (%s)', async (code) => {
    const model = openPollModel();
    model.add('good');
    model.add('before', 'ready');
    model.add('poisoned');
    model.broken.set('poisoned', code);
    await model.poll();
    model.add('later', 'ready');
    model.end('good');
    await model.poll();
    expect(model.emitted.toSorted()).toEqual(['good', 'later']);
    model.broken.clear();
    model.end('poisoned');
    await model.poll();
    expect(model.emitted.slice(2)).toEqual(['poisoned']);
  });

  it('does not hold up those whose state the search tells', async () => {
    const told = (id: string, status?: string): Candidate => ({
      key: id,
      meeting: { id, title: id, tags: [], raw: { id, status } },
      startMs: 0,
    });
    const source = {
      askPhase: async () => {
        throw new ServiceError({ code: 'server', operation: 'recordings.status' });
      },
      now: () => 0,
      untilMs: 1,
    };
    const look = await findPhases(source as unknown as PollSource, [told('poisoned'), told('good', 'new')]);
    expect(look.findings.map(({ candidate, phase }) => [candidate.key, phase])).toEqual([['good', 'ready']]);
    expect(look.unanswered.map(({ key }) => key)).toEqual(['poisoned']);
  });

  it.each([
    ['sixty, with one after them', 60, 'server', true],
    // Where nobody may know anything at all the poll says so, and goes on behind them the next time.
    ['ten of which nothing may be known', 10, 'forbidden', false],
  ] as const)('nor do %s', async (_name, count, code, isLastKnown) => {
    const model = openPollModel();
    await model.poll();
    model.add('good', 'ready');
    for (let index = 0; index < count; index += 1) {
      model.pass(1000);
      model.add(`poisoned${index}`);
      model.broken.set(`poisoned${index}`, code);
    }
    if (isLastKnown) model.add('other');
    const isRefused = await model.poll().then(
      () => false,
      () => true,
    );
    expect(isRefused).toBe(!isLastKnown);
    await model.poll();
    expect(model.emitted).toEqual(['good']);
  });
});

it('a meeting whose state is a word that is not known is emitted once it is ready, though the first poll found it so', async () => {
  const model = openPollModel();
  model.add('before', 'ready');
  model.add('odd', 'unknown');
  await model.poll();
  model.end('odd');
  await model.poll();
  await model.poll();
  expect(model.emitted).toEqual(['odd']);
});

describe('meetings that had failed', () => {
  /** Ten more than one poll asks for, each of them emitted. */
  async function failMany() {
    const model = openPollModel();
    await model.poll();
    for (let index = 0; index < MAX_STATUS_REQUESTS + 10; index += 1) {
      model.add(`failed${index}`, 'failed');
      model.pass(1000);
    }
    await model.poll();
    await model.poll();
    expect(model.emitted.splice(0)).toHaveLength(MAX_STATUS_REQUESTS + 10);
    return model;
  }

  it('are asked in their order, so that each one that is completed later is emitted', async () => {
    const model = await failMany();
    // The oldest and the newest.
    model.end('failed0');
    model.end(`failed${MAX_STATUS_REQUESTS + 9}`);
    for (let poll = 0; poll < 3; poll += 1) await model.poll();
    expect(model.emitted.toSorted()).toEqual(['failed0', 'failed59']);
  });

  it('and that cannot be asked do not keep the others from it', async () => {
    const model = await failMany();
    for (let index = 10; index < MAX_STATUS_REQUESTS + 10; index += 1)
      model.broken.set(`failed${index}`, 'server');
    model.end('failed0');
    for (let poll = 0; poll < 3; poll += 1) await model.poll().catch(() => {});
    expect(model.emitted).toEqual(['failed0']);
  });
});

it('a first poll that is answered for few meetings alone is no first poll: what was there before would come late', async () => {
  const model = openPollModel();
  model.add('good', 'ready');
  for (let index = 0; index < 10; index += 1) {
    model.add(`old${index}`, 'ready');
    model.broken.set(`old${index}`, 'timeout');
  }
  await expect(model.poll()).rejects.toThrow('timeout');
  model.broken.clear();
  await model.poll();
  await model.poll();
  expect(model.emitted).toEqual([]);
});

describe('what was emitted comes no second time', () => {
  it('when it is told to look back further than before', async () => {
    const model = openPollModel();
    await model.poll();
    model.add('m1', 'ready');
    await model.poll(7);
    model.pass(20 * DAY_MS);
    await model.poll(7);
    await model.poll(90);
    expect(model.emitted).toEqual(['m1']);
  });

  it('when the clock jumps ahead and back again', async () => {
    const model = openPollModel();
    await model.poll();
    model.add('m1', 'ready');
    await model.poll();
    model.pass(30 * DAY_MS);
    await model.poll();
    model.pass(-30 * DAY_MS);
    await model.poll();
    model.pass(-DAY_MS);
    await model.poll();
    expect(model.emitted).toEqual(['m1']);
  });
});
