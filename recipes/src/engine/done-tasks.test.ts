import { expect, it } from 'vitest';

import { buildDigest } from '../report/digest.ts';
import { createMemoryCells } from '../testing/memory-cells.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { forgetDoneTasks, markDone, readDoneTasks, setTaskDone } from './done-tasks.ts';

const nowMs = 1_795_000_000_000;

it('keeps what people have done of a meeting, until they take it back or it is forgotten', async () => {
  const store = createMemoryCells();
  const set = (meetingId: string, taskKey: string, isDone = true) =>
    setTaskDone(store, { meetingId, taskKey, isDone, who: 'Slack member U0ANN', nowMs });
  expect([
    await set('m_1', 'a'),
    await set('m_1', 'a'),
    await set('m_1', 'b'),
    await set('m_2', 'a'),
  ]).toEqual([true, false, true, true]);
  await set('m_1', 'a', false);
  expect([...(await readDoneTasks(store, 'm_1'))]).toEqual(['b']);
  await forgetDoneTasks(store, 'm_1', nowMs);
  expect([...(await readDoneTasks(store, 'm_1')), ...(await readDoneTasks(store, 'm_2'))]).toEqual(['a']);
});

it('marks them in the digest, and leaves what the report says', () => {
  const [first] = sampleReport.tasks;
  if (first === undefined) throw new Error('no task');
  const digest = buildDigest({
    ...sampleReport,
    tasks: [{ ...first, state: 'cancelled' }, ...sampleReport.tasks.slice(1)],
  });
  const keys = digest.taskGroups.flatMap(({ tasks }) => tasks.map(({ key }) => key));
  const states = (done: readonly string[]) =>
    markDone(digest, new Set(done)).taskGroups.flatMap(({ tasks }) =>
      tasks.map(({ state = 'open' }) => state),
    );
  expect(states([])).toEqual(['cancelled', 'open', 'open']);
  expect(states(keys.slice(0, 2))).toEqual(['cancelled', 'done', 'open']);
  expect(states(['another'])).toEqual(['cancelled', 'open', 'open']);
});
