/** A job that was found, and when it was added. */
export interface FoundJob {
  readonly id: string;
  readonly addedAtMs: number;
}

/** A chunk of a list of jobs. None of the chunks that follow has a job that was added after `ceilingMs`. */
export interface FoundChunk {
  readonly jobs: readonly FoundJob[];
  readonly ceilingMs: number;
}

/**
 * Merges lists of jobs into one by the time they were added, newest first: what a chunk holds is given as soon as no
 * list can hold a newer one. A job that is in two lists is given once.
 */
export async function* mergeNewestFirst(
  lists: readonly AsyncIterator<FoundChunk, unknown>[],
): AsyncGenerator<readonly string[], void> {
  const seen = new Set<string>();
  let ceilings = lists.map((list) => ({ list, ceilingMs: Infinity }));
  let pending: FoundJob[] = [];
  while (ceilings.length > 0) {
    const highest = ceilings.reduce((one, other) => (other.ceilingMs > one.ceilingMs ? other : one));
    const next = await highest.list.next();
    if (next.done === true) {
      ceilings = ceilings.filter((each) => each !== highest);
    } else {
      highest.ceilingMs = next.value.ceilingMs;
      for (const job of next.value.jobs) {
        if (seen.has(job.id)) continue;
        seen.add(job.id);
        pending.push(job);
      }
    }
    pending.sort((one, other) => other.addedAtMs - one.addedAtMs);
    const sureMs = Math.max(-Infinity, ...ceilings.map(({ ceilingMs }) => ceilingMs));
    const after = pending.findIndex(({ addedAtMs }) => addedAtMs < sureMs);
    const count = after === -1 ? pending.length : after;
    if (count > 0) yield pending.slice(0, count).map(({ id }) => id);
    pending = pending.slice(count);
  }
}
