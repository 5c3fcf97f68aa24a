import type { JobName } from '../job-catalog.ts';

/** The BullMQ queue of each kind of job. */
export const queueNames = { event: 'events', effect: 'effects' } as const satisfies Record<JobName, string>;

/** The PostgreSQL schema of BullMQ's tables. */
export function bullSchema(namespace: string): string {
  return `${namespace}_queue`;
}

/** The prefix of BullMQ's Redis keys; the braces keep a namespace on one node of a cluster. */
export function bullPrefix(namespace: string): string {
  return `{${namespace}}`;
}
