/**
 * Writes a group in one step. When the store dislikes what is in it (`isDataError`), writes each once alone, so that one
 * that can't be stored does not fail the others: it gets its error. Rejects when the whole group failed for another reason.
 */
export async function writeGroup<Item, Result>(
  group: readonly Item[],
  write: (group: readonly Item[]) => Promise<readonly Result[]>,
  isDataError: (error: unknown) => boolean,
): Promise<readonly (Result | Error)[]> {
  try {
    return await write(group);
  } catch (error) {
    if (group.length === 1 || !isDataError(error)) throw error;
  }
  const results: (Result | Error)[] = [];
  let outage: Error | undefined;
  for (const item of group) results.push(outage ?? (await writeAlone(item)));
  return results;

  async function writeAlone(item: Item): Promise<Result | Error> {
    try {
      const [result] = await write([item]);
      return result === undefined ? new Error('the store gave no result') : result;
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      // Each of the others would wait as long for the same.
      if (!isDataError(error)) outage = failure;
      return failure;
    }
  }
}
