/**
 * How far the workers of this process have got in the lines of effects. The effects of each rate limit are a line, and one
 * of each line is taken after the other. Only distances within a line are known to who adds an effect: its place counts
 * from here, so that a line that was worked off, or is new, goes on beside the others, and a long one keeps its order.
 */
export interface LineHeads {
  /** The highest priority that was taken since the queue was empty; 0: none. */
  readonly of: (queueName: string) => number;
  readonly taken: (queueName: string, priority: number) => void;
  /** No job of the queue waits, not even for its time. */
  readonly emptied: (queueName: string) => void;
}

export function createLineHeads(): LineHeads {
  const heads = new Map<string, number>();
  const of = (queueName: string): number => heads.get(queueName) ?? 0;
  return {
    of,
    // A job that is taken again has its old priority: the lines do not go back.
    taken: (queueName, priority) => void heads.set(queueName, Math.max(of(queueName), priority)),
    emptied: (queueName) => void heads.delete(queueName),
  };
}
