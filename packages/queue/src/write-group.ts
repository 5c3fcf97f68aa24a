import type { InboxEntry } from './inbox-entry.ts';
import type { Accepted, InboxStore } from './inbox-store.ts';

/**
 * Writes a group in one step. When the store dislikes what is in it, writes each once alone, so that one delivery that
 * can't be stored does not fail the others. Rejects when the whole group failed for another reason.
 */
export async function writeGroup(
  store: Pick<InboxStore, 'acceptGroup' | 'isDataError'>,
  group: readonly InboxEntry[],
): Promise<readonly (Accepted | Error)[]> {
  try {
    return await store.acceptGroup(group);
  } catch (error) {
    if (group.length === 1 || !store.isDataError(error)) throw error;
  }
  const results: (Accepted | Error)[] = [];
  let outage: Error | undefined;
  for (const entry of group) results.push(outage ?? (await writeAlone(entry)));
  return results;

  async function writeAlone(entry: InboxEntry): Promise<Accepted | Error> {
    try {
      const [result] = await store.acceptGroup([entry]);
      return result ?? new Error('the store gave no result');
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      // Each of the others would wait as long for the same.
      if (!store.isDataError(error)) outage = failure;
      return failure;
    }
  }
}
