import type { Backend } from './backend.ts';
import { type JobCounts, openJobStore } from './bullmq/job-store.ts';
import type { EffectJob, JobName } from './job-catalog.ts';
import type { Log } from './log.ts';

/** The producing side of the worker: effects to bring about. */
export interface JobQueue {
  /** Stores effects durably; one whose key is known already is left as it is. */
  addEffects(jobs: readonly EffectJob[]): Promise<void>;
  counts(name: JobName): Promise<JobCounts>;
  close(): Promise<void>;
}

/** Opens the producing side. Rejects when the store can't be reached now. */
export async function createJobQueue(backend: Backend, options: { readonly log: Log }): Promise<JobQueue> {
  const events = await openJobStore(backend, 'event', 'work', options.log);
  const effects = await openJobStore(backend, 'effect', 'work', options.log).catch(async (error: unknown) => {
    await events.close();
    throw error;
  });
  return {
    addEffects: (jobs) => effects.addAll(jobs.map((job) => ({ id: job.effectKey, data: job }))),
    counts: (name) => (name === 'event' ? events : effects).counts(),
    close: async () => {
      await Promise.all([events.close(), effects.close()]);
    },
  };
}
