import { type Backend } from '@aftermeet/queue';

import { nameQueue, openQueues } from '../../../packages/queue/src/bullmq/queues.ts';
import { parseJobData } from '../../../packages/queue/src/job-catalog.ts';

/** Lets the moment that a recipe's schedule waits for come now: its job is taken at once, for the moment it was meant for. */
export async function makeDue(backend: Backend, recipe: string): Promise<void> {
  const queues = await openQueues(backend, 'work');
  try {
    const waiting = await queues.open(nameQueue({ name: 'schedule' })).getDelayed();
    const job = waiting.find(({ data }) => {
      const due = parseJobData('schedule', data);
      return due?.task === 'recipe' && due.recipe === recipe;
    });
    if (job === undefined) throw new Error(`nothing waits for the schedule of ${recipe}`);
    await job.promote();
  } finally {
    await queues.close();
  }
}
