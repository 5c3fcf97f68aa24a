import { type JobData, type JobName, jobCatalog } from './job-catalog.ts';
import { decodeJobData } from './job-data-codec.ts';

/** Reads the stored data of a job; undefined when it is not what its kind must look like. */
export function parseJobData<Name extends JobName>(name: Name, stored: unknown): JobData<Name> | undefined {
  try {
    const parsed = jobCatalog[name].schema.safeParse(decodeJobData(stored));
    // The catalog pairs name and schema; the compiler loses the pair on a generic name.
    return parsed.success ? (parsed.data as JobData<Name>) : undefined;
  } catch {
    // Broken JSON text inside: the same as data of a wrong shape.
    return undefined;
  }
}
