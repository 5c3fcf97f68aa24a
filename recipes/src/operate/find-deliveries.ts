import type { JobDesk, StoredJob } from '@aftermeet/queue';

/** Shorter ones would meet by chance. */
export const leastPrefixLength = 8;

export type Found<Value> =
  | { readonly kind: 'found'; readonly value: Value }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly ids: readonly string[] };

const mostNamed = 5;

/**
 * Finds stored deliveries by what an operator may have in hand: the id of the job, its first characters (at least
 * eight), or the delivery header that came with it. One pass over the store for all of them.
 */
export async function findDeliveries(
  names: readonly string[],
  desk: Pick<JobDesk, 'findEvent' | 'listEvents'>,
): Promise<ReadonlyMap<string, Found<StoredJob<'event'>>>> {
  const found = new Map<string, StoredJob<'event'>[]>();
  for (const name of names) {
    const job = await desk.findEvent(name);
    if (job !== undefined) found.set(name, [job]);
  }
  const open = names.filter((name) => !found.has(name));
  if (open.length > 0) {
    for await (const job of desk.listEvents()) {
      for (const name of open) {
        if (isNamed(job, name)) found.set(name, [...(found.get(name) ?? []), job]);
      }
    }
  }
  return new Map(names.map((name) => [name, choose(found.get(name) ?? [])]));
}

function isNamed({ id, data }: StoredJob<'event'>, name: string): boolean {
  return (name.length >= leastPrefixLength && id.startsWith(name)) || data?.deliveryId === name;
}

function choose(jobs: readonly StoredJob<'event'>[]): Found<StoredJob<'event'>> {
  const [value] = jobs;
  if (value === undefined) return { kind: 'none' };
  if (jobs.length === 1) return { kind: 'found', value };
  return { kind: 'several', ids: jobs.slice(0, mostNamed).map(({ id }) => id) };
}
