import type { Backend } from '../backend.ts';
import { startJobWorker } from '../job-worker.ts';
import { silentLog } from '../log.ts';

/** A worker that takes deliveries and does nothing with them. `taken` are the ids of their jobs. */
export function takeEvents(backend: Backend): { readonly taken: readonly string[]; close(): Promise<void> } {
  const taken: string[] = [];
  const worker = startJobWorker(
    backend,
    'event',
    ({ id }) => {
      taken.push(id);
      return Promise.resolve({ kind: 'done' });
    },
    { concurrency: 1, log: silentLog },
  );
  return { taken, close: () => worker.close() };
}
