import type { EffectJob, TakenJob } from '@aftermeet/queue';

import type { Obstacle } from './pace/retry-later.ts';

type StartedJob = Pick<TakenJob<'effect'>, 'data' | 'startedTimes'>;

/**
 * Whether every earlier start of the job ended in an orderly way, and said so in what the job carries. A start that
 * did not may have sent something whose trace a store has lost since (Redis with `appendfsync everysec`): what the job
 * carries is written after the trace, so where the one is there, so is the other.
 */
export function isTraceComplete({ data, startedTimes }: StartedJob): boolean {
  return (data.restedStarts ?? 0) >= startedTimes - 1;
}

/** What a start leaves to the next one. */
export interface RestNote {
  readonly turnMs?: number | undefined;
  readonly obstacle?: Obstacle | undefined;
  /** This start looked into what was missing, and wrote down what came of it: a gap before it is closed. */
  readonly isTraced?: boolean | undefined;
}

/** What the job carries when this start ends in an orderly way. A turn that was used is dropped. */
export function noteRest(job: StartedJob, { turnMs, obstacle, isTraced = false }: RestNote = {}): EffectJob {
  const { turnMs: _turn, obstacle: _obstacle, ...data } = job.data;
  return {
    ...data,
    ...(isTraced || isTraceComplete(job) ? { restedStarts: job.startedTimes } : {}),
    ...(turnMs === undefined ? {} : { turnMs }),
    ...(obstacle === undefined ? {} : { obstacle }),
  };
}
