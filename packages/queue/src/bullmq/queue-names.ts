import { type EffectDestination, effectDestinations, type JobName } from '../job-catalog.ts';

/** The BullMQ queue of the kinds of job that have one. */
export const queueNames = { event: 'events', schedule: 'schedules' } as const;

/** Which jobs: those of a kind, of effects those of one destination. */
export interface JobSelection<Name extends JobName = JobName> {
  readonly name: Name;
  /** Of effects: whose; there is a queue for each. */
  readonly destination?: EffectDestination | undefined;
}

/** The BullMQ queue that keeps these jobs. */
export function nameQueue({ name, destination }: JobSelection): string {
  if (name !== 'effect') return queueNames[name];
  if (destination === undefined) throw new Error('effects have a queue for each destination: name one');
  return `effects-${destination}`;
}

/** Every BullMQ queue of a namespace. */
export function listQueueNames(): readonly string[] {
  return [
    ...Object.values(queueNames),
    ...effectDestinations.map((destination) => nameQueue({ name: 'effect', destination })),
  ];
}

/** The PostgreSQL schema of BullMQ's tables. */
export function bullSchema(namespace: string): string {
  return `${namespace}_queue`;
}

/** The prefix of BullMQ's Redis keys; the braces keep a namespace on one node of a cluster. */
export function bullPrefix(namespace: string): string {
  return `{${namespace}}`;
}
