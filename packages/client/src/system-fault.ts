/** What may be said of an error that a library threw: codes and names, which hold no secrets and no addresses. */
export interface SystemFault {
  /** Such as `ECONNREFUSED`, `UND_ERR_SOCKET` or, without a code, the error's name. */
  readonly systemCode: string;
  /** True when it happened before a byte of the request could leave. */
  readonly unsent: boolean;
}

const codePattern = /^[A-Z][A-Z0-9_]{1,63}$/;
const namePattern = /^[A-Za-z]{1,64}$/;
/** `fetch failed`, its cause, and the reasons for each address are three levels. */
const MAX_CAUSES = 4;

const unsentCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The innermost cause with a code counts: `fetch failed` says nothing. */
export function readSystemFault(error: unknown): SystemFault {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error && chain.length < MAX_CAUSES; at = at.cause) chain.push(at);
  const code = chain.map(readCode).findLast((found) => found !== undefined);
  const name = chain
    .map((cause) => cause.name)
    .findLast((found) => namePattern.test(found) && found !== 'Error');
  return { systemCode: code ?? name ?? 'failed', unsent: chain.some(isUnsent) };
}

function isUnsent(error: Error): boolean {
  if (unsentCodes.has(readCode(error) ?? '')) return true;
  // All addresses of a name were tried and none took the connection.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(failedToConnect);
  return failedToConnect(error);
}

function failedToConnect(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'connect';
}

function readCode(error: Error): string | undefined {
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' && codePattern.test(code) ? code : undefined;
}

/** Codes of a path that was chosen wrong; every other fault of the file system is one of the machine. */
const pathCodes: ReadonlySet<string> = new Set([
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'ENAMETOOLONG',
  'ELOOP',
  'EINVAL',
]);

export function isPathCode(systemCode: string): boolean {
  return pathCodes.has(systemCode);
}
