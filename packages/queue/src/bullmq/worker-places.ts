import type { Worker } from 'bullmq';

/** The part of a BullMQ worker that says how many jobs it takes. */
export type PacedWorker = Pick<Worker, 'concurrency' | 'pause' | 'resume' | 'run' | 'isPaused' | 'isRunning'>;

/** Sets the places of a worker that has not been run yet; without a place it waits for {@link changePlaces}. */
export function preparePlaces(worker: PacedWorker, places: number): void {
  worker.concurrency = Math.max(places, 1);
  // Takes effect at once; the promise is that of what can't fail.
  if (places < 1) void worker.pause(true);
}

/**
 * Changes the places of a worker that was run. BullMQ ends its loop when it is paused and its last job has ended;
 * `resume` starts it again, or wakes the one that still goes on. `onError` hears of a loop that did not start.
 */
export function changePlaces(worker: PacedWorker, places: number, onError: (error: unknown) => void): void {
  const isMore = places > worker.concurrency;
  preparePlaces(worker, places);
  if (places < 1 || !(isMore || worker.isPaused())) return;
  // A full loop looks at its places again when a job ends; only `resume` wakes it before, and only a paused one.
  void worker.pause(true);
  void worker.resume();
  // Resumed in the very moment in which its loop was ending, it believes that the loop goes on.
  setImmediate(() => {
    if (!worker.isPaused() && !worker.isRunning()) worker.run().catch(onError);
  });
}
