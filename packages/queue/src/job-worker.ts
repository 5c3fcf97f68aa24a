import type { Backend } from './backend.ts';
import { createJobProcessor } from './bullmq/job-processor.ts';
import { keepWorkerRunning } from './bullmq/worker-loop.ts';
import type { JobName } from './job-catalog.ts';
import type { JobOutcome, JobWorker, JobWorkerOptions, TakenJob } from './taken-job.ts';

/**
 * Takes jobs of one kind and hands them to `handle`. Waits for a store that is away, for as long as it
 * takes. A job whose worker dies runs again: what makes its effect happen once is not the queue.
 */
export function startJobWorker<Name extends JobName>(
  backend: Backend,
  name: Name,
  handle: (job: TakenJob<Name>) => Promise<JobOutcome<Name>>,
  options: JobWorkerOptions<Name>,
): JobWorker {
  const processor = createJobProcessor(name, handle, options);
  return keepWorkerRunning(backend, { name, destination: options.destination }, processor, options);
}
