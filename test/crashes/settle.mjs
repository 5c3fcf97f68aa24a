import { setTimeout as pause } from 'node:timers/promises';

const EVERY_MS = 500;
/** One count can fall between two states of a job. */
const CALM_COUNTS = 3;

/** How many jobs have not ended; undefined when the store did not say. */
export async function countOpenJobs(queue) {
  try {
    return await countIn(queue);
  } catch {
    // It may just have been started again.
    return undefined;
  }
}

async function countIn(queue) {
  const counts = await Promise.all([
    queue.counts('event'),
    ...['slack', 'notion', 'email'].map((destination) => queue.countEffects(destination)),
  ]);
  return counts.reduce((sum, { waiting, active, delayed }) => sum + waiting + active + delayed, 0);
}

/** Resolves when every job has ended, or with how many have not when the time is over. */
export async function untilSettled(queue, withinMs) {
  const untilMs = performance.now() + withinMs;
  let calm = 0;
  for (;;) {
    const open = await countOpenJobs(queue);
    calm = open === 0 ? calm + 1 : 0;
    if (calm === CALM_COUNTS || performance.now() > untilMs) return open;
    await pause(EVERY_MS);
  }
}
