/** The items of a list by what `read` says of each. `Map.groupBy` needs Node 21. */
export function groupBy(list, read) {
  const groups = new Map();
  for (const item of list) {
    const key = read(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
