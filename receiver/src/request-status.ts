/** The status that Express gives a request that it cannot read; 503 for any other error. */
export function statusOfError(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 503;
}
