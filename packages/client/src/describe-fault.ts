/** What may be said of an error that a library threw: names and codes, which hold no secrets and no addresses. */
export interface Fault {
  /** Such as `ECONNREFUSED`, `UND_ERR_SOCKET` or, where there is no code, the error's name. */
  readonly word: string;
  /** True when it came about before a byte of the request could leave. */
  readonly unsent: boolean;
}

const codePattern = /^[A-Z][A-Z0-9_]{1,63}$/;
const namePattern = /^[A-Za-z]{1,64}$/;
/** The deepest chain that was seen has two: `fetch failed`, its cause, and of that the reasons of each address. */
const MAX_DEPTH = 4;

const unsentCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** `fetch failed` says nothing; the innermost cause with a code does. */
export function describeFault(error: unknown): Fault {
  const chain = listCauses(error);
  const code = chain.map(readCode).findLast((found) => found !== undefined);
  const name = chain.map(readName).findLast((found) => found !== undefined && found !== 'Error');
  return { word: code ?? name ?? 'failed', unsent: chain.some(isUnsent) };
}

function listCauses(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error && chain.length < MAX_DEPTH; at = at.cause) chain.push(at);
  return chain;
}

function isUnsent(error: Error): boolean {
  const code = readCode(error);
  if (code !== undefined && unsentCodes.has(code)) return true;
  // All addresses of a name were tried and none took the connection.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(failedToConnect);
  return failedToConnect(error);
}

function failedToConnect(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'connect';
}

function readCode(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' && codePattern.test(error.code)
    ? error.code
    : undefined;
}

function readName(error: Error): string | undefined {
  return namePattern.test(error.name) ? error.name : undefined;
}
