import { type JobName, jobCatalog } from '../job-catalog.ts';

/** The options of every job of a kind; a worker's `capped` backoff is `retryDelayMs`. */
export function jobOptions(name: JobName) {
  return { attempts: jobCatalog[name].attempts, backoff: { type: 'capped' } };
}
