/** Takes out the entry that came first when there are more than may be kept. To be called after every addition. */
export function dropOldest(kept: Set<string> | Map<string, unknown>, limit: number): void {
  const [oldest] = kept.keys();
  if (kept.size > limit && oldest !== undefined) kept.delete(oldest);
}
