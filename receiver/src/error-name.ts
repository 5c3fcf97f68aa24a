/** For the log: the name only, because a message may quote what was being read. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
