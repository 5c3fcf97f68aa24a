/** `never`, `once`, `2 times`. */
export function describeCount(count: number): string {
  if (count === 0) return 'never';
  return count === 1 ? 'once' : `${String(count)} times`;
}
