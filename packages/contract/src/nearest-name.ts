/** No name is longer; the rest of what was written is not compared. */
const maxLength = 100;

/** The known name that was most probably meant, if any is near enough to be a slip of the finger. */
export function findNearestName(written: string, known: readonly string[]): string | undefined {
  const word = written.slice(0, maxLength).toLowerCase();
  const reach = Math.max(2, Math.floor(word.length / 3));
  const ranked = known
    .map((name) => ({ name, distance: countEdits(word, name.toLowerCase()) }))
    .toSorted((one, other) => one.distance - other.distance);
  const nearest = ranked[0];
  return nearest !== undefined && nearest.distance <= reach ? nearest.name : undefined;
}

/** `slack-recap? (one of …)`, or only what is known. */
export function suggestName(written: string, known: readonly string[]): string {
  const nearest = findNearestName(written, known);
  const list = `one of ${known.join(', ')}`;
  return nearest === undefined ? list : `${nearest}? (${list})`;
}

/** How many letters must be added, dropped or changed to come from one word to the other. */
function countEdits(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const replaced = (previous[column - 1] ?? 0) + (isSame ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? to.length;
}
