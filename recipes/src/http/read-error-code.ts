/** The code of an error of the network, such as `ECONNREFUSED`: never its message, which can hold an address. */
export function readErrorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : 'unknown';
}
