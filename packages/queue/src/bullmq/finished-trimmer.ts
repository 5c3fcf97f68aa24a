import type { Backend } from '../backend.ts';
import { trimFinished } from '../postgres/trim-finished.ts';
import type { FinishedLimits } from './finished-limits.ts';

const TRIM_EVERY_MS = 10 * 60 * 1000;

/** What is to be called at each job: now and then it deletes what is more than the limits of the queue allow. */
export function createFinishedTrimmer(
  backend: Backend,
  queueName: string,
  limits: FinishedLimits,
  onError: (error: unknown) => void,
): () => void {
  if (backend.kind === 'redis') return () => undefined; // There BullMQ's own count costs nothing.
  let lastMs = performance.now();
  return () => {
    if (performance.now() - lastMs < TRIM_EVERY_MS) return;
    lastMs = performance.now();
    trimFinished(backend, queueName, limits).catch(onError);
  };
}
