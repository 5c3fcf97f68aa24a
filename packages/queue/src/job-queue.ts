import type { Backend } from './backend.ts';
import { type JobCounts, openJobStore } from './bullmq/job-store.ts';
import { openQueues } from './bullmq/open-queues.ts';
import {
  type EffectDestination,
  effectDestinations,
  type EffectJob,
  type EventJob,
  type JobName,
} from './job-catalog.ts';
import type { Log } from './log.ts';

export interface NewEffect {
  readonly job: EffectJob;
  /** It is not taken before that. */
  readonly delayMs?: number;
}

/** The producing side of the worker. */
export interface JobQueue {
  /** Stores effects durably; one whose key is known already is left as it is. */
  addEffects(effects: readonly NewEffect[]): Promise<void>;
  /** Stores an event durably; a known id is left as it is. */
  addEvent(id: string, job: EventJob): Promise<void>;
  counts(name: Exclude<JobName, 'effect'>): Promise<JobCounts>;
  countEffects(destination: EffectDestination): Promise<JobCounts>;
  close(): Promise<void>;
}

/** Opens the producing side. Rejects when the store can't be reached now. */
export async function createJobQueue(backend: Backend, options: { readonly log: Log }): Promise<JobQueue> {
  const queues = await openQueues(backend, 'work', options.log);
  const events = openJobStore(queues, { name: 'event' });
  const schedules = openJobStore(queues, { name: 'schedule' });
  const openEffects = (destination: EffectDestination) =>
    openJobStore(queues, { name: 'effect', destination });
  const effects = {
    slack: openEffects('slack'),
    notion: openEffects('notion'),
    email: openEffects('email'),
    http: openEffects('http'),
    folder: openEffects('folder'),
    service: openEffects('service'),
  } satisfies Record<EffectDestination, unknown>;

  return {
    addEffects: async (added) => {
      await Promise.all(
        effectDestinations.map((destination) =>
          effects[destination].addAll(
            added
              .filter(({ job }) => job.destination === destination)
              .map(({ job, delayMs }) => ({ id: job.effectKey, data: job, delayMs })),
          ),
        ),
      );
    },
    addEvent: (id, job) => events.add({ id, data: job }),
    counts: (name) => (name === 'event' ? events : schedules).counts(),
    countEffects: (destination) => effects[destination].counts(),
    close: () => queues.close(),
  };
}
