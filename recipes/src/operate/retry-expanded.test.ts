import type { EffectJob } from '@aftermeet/queue';
import { openTestStore } from '@aftermeet/test/support';
import { expect, it } from 'vitest';

import { deliverEffect } from '../engine/deliver.ts';
import type { SendResult } from '../engine/prepared-send.ts';
import { bindRecipes } from '../prebuilt/bind-recipes.ts';
import { buildDigest } from '../report/digest.ts';
import { createTestTools } from '../testing/create-test-tools.ts';
import { startMs } from '../testing/effect-requests.ts';
import { createMemoryTools, storeEvent } from '../testing/memory-tools.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { useLedger } from '../testing/use-ledger.ts';
import { createPlanner } from './operator-tools.ts';
import { retryEffect } from './repair.ts';

const store = useLedger(() => openTestStore('redis'));
const destinations = { notion: { token: 'ntn', dataSourceId: 'source' } };
const recipes = [{ name: 'rows', use: 'notion-tasks', when: {}, with: { dataSource: 'tasks' } }];

it('has a row made whose job is gone, though the effect that planned it was over', async () => {
  const answers: SendResult[] = [{ result: 'permanent', cause: 'Notion answered validation_error' }];
  const queued: EffectJob[] = [];
  const recipe = bindRecipes(recipes, destinations)[0];
  if (recipe === undefined) throw new Error('it is bound');
  const digest = buildDigest(sampleReport);
  const tools = createTestTools(
    {
      recipes: new Map([['rows', recipe]]),
      connectors: {
        prepare: async () => ({
          result: 'ready',
          prepared: {
            timeoutMs: 1000,
            send: async () => answers.shift() ?? { result: 'sent', reference: 'page' },
            probe: async () => ({ result: 'absent' }),
          },
        }),
        close: async () => {},
      },
      ledger: store.ledger,
      clock: () => startMs,
      digests: { read: async () => ({ ready: true, digest }) },
    },
    queued,
  );
  const run = async (data: EffectJob | undefined) => {
    if (data === undefined) throw new Error('there is such a job');
    const taken = { id: data.effectKey, attempt: 1, maxAttempts: 12, dueAtMs: startMs, startedTimes: 1 };
    return await deliverEffect({ ...taken, data }, tools);
  };

  const receivedAt = new Date(startMs).toISOString();
  const body = { event: 'meeting.completed', meeting_id: 'm_1', timestamp: receivedAt, data: {} };
  const event = { endpoint: 'default', receivedAt, body: JSON.stringify(body) };
  const plan = createPlanner({ workspace: 'active', endpointRecipes: {}, destinations, recipes });
  const planned = plan(event, 'd1');
  await run(planned.ok ? planned.effects[0] : undefined);
  expect(queued).toHaveLength(3);
  const [row] = queued.splice(0);
  expect(await run(row)).toMatchObject({ kind: 'failed' });

  const memory = createMemoryTools(startMs);
  const operator = { ...memory, ledger: store.ledger, queue: { ...memory.queue, ...tools.queue }, plan };
  operator.events.set('d1', storeEvent('d1', event, startMs));
  const entry = await store.ledger.read(row?.effectKey ?? '', startMs);
  expect(entry && (await retryEffect(entry, operator))).toBe('planned_again');
  expect(queued).toHaveLength(1);
  await run(queued.shift());
  expect(await run(queued.find(({ effectKey }) => effectKey === row?.effectKey))).toEqual({ kind: 'done' });
  expect(await store.ledger.read(row?.effectKey ?? '', startMs)).toMatchObject({ state: 'sent' });
});
