/** What may be said of an error that a library threw: codes and names, which hold no secrets and no addresses. */
export interface SystemFault {
  /** Such as `ECONNREFUSED`, `UND_ERR_SOCKET`, `PROXY_407` or, without a code, the error's name. */
  readonly systemCode: string;
  /** True when it happened before a byte of the request could leave. */
  readonly unsent: boolean;
  /** True when a person has to act first: a certificate, a port or a proxy that refuses. */
  readonly permanent: boolean;
}

/** A fault before the connection was made: nothing of the request has left. */
export class UnsentFault extends Error {
  override readonly name = 'UnsentFault';

  constructor(cause: unknown) {
    super('the connection was not made', { cause });
  }
}

/** An `UnsentFault` of our own, which a code tells apart: `PROXY_407`. */
export function unsentFault(code: string): UnsentFault {
  return new UnsentFault(Object.assign(new Error(code), { code }));
}

const codePattern = /^[A-Z][A-Z0-9_]{1,63}$/;
const namePattern = /^[A-Za-z]{1,64}$/;
/** `fetch failed`, what stands around its cause, the cause, and the reasons for each address are four levels. */
const MAX_CAUSES = 5;

/** Node's code for a connection that was not made in time, for faults of our own too. */
export const CONNECT_TIMEOUT_CODE = 'UND_ERR_CONNECT_TIMEOUT';

const unsentCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  CONNECT_TIMEOUT_CODE,
]);

const certificatePattern =
  /^(?:(?:CERT|CRL|DEPTH_ZERO|ERR_TLS_CERT|ERROR_IN_C|SELF_SIGNED|UNABLE_TO)_|HOSTNAME_MISMATCH$|INVALID_(?:CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$)/;
/** An answer to the first words of TLS that is not TLS, or refuses its version, its name or its ciphers. */
const handshakePattern =
  /^ERR_SSL_(?:\w*HANDSHAKE\w*|WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|(?:UNKNOWN|UNSUPPORTED)_PROTOCOL|\w*PROTOCOL_VERSION|\w*UNRECOGNIZED_NAME)$/;
/** A gateway that cannot reach the service now answers 5xx; everything else but 408 and 429 is the proxy's own refusal. */
const proxyRefusalPattern = /^PROXY_(?!5|408$|429$)/;
const BAD_PORT_CODE = 'BAD_PORT';

/** The code of a certificate that is not accepted: self-signed, expired, or for another host. */
function isCertificateCode(systemCode: string): boolean {
  return certificatePattern.test(systemCode);
}

/** The innermost cause with a code counts: `fetch failed` says nothing. */
export function readSystemFault(error: unknown): SystemFault {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error && chain.length < MAX_CAUSES; at = at.cause) chain.push(at);
  const code = chain.map(readCode).findLast((found) => found !== undefined);
  const name = chain
    .map((cause) => cause.name)
    .findLast((found) => namePattern.test(found) && found !== 'Error' && found !== 'UnsentFault');
  const systemCode = code ?? name ?? 'failed';
  const isRefused = isPermanentCode(systemCode);
  const unsent = isRefused || chain.some(isUnsent);
  // The same as `ERR_SSL_…` where the connection was not made yet.
  return { systemCode, unsent, permanent: isRefused || (unsent && systemCode === 'EPROTO') };
}

/** All of them are met before the request is sent. */
function isPermanentCode(code: string): boolean {
  const isRefused = isCertificateCode(code) || handshakePattern.test(code) || proxyRefusalPattern.test(code);
  return isRefused || code === BAD_PORT_CODE;
}

function isUnsent(error: Error): boolean {
  const code = readCode(error) ?? '';
  if (error instanceof UnsentFault || code.startsWith('PROXY_')) return true;
  // A connection that stood can lose its route as well.
  if (unsentCodes.has(code))
    return !('syscall' in error && /^(?:read|write|shutdown)/.test(String(error.syscall)));
  // All addresses of a name were tried and none took the connection.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(failedToConnect);
  return failedToConnect(error) || error.message.startsWith(BROKEN_HANDSHAKE);
}

/** Node's words; the code is that of every broken connection. */
const BROKEN_HANDSHAKE = 'Client network socket disconnected before secure TLS connection was established';

function failedToConnect(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'connect';
}

/** The words of `fetch` for a port that it does not use, and of undici for a proxy's answer to CONNECT. */
const BAD_PORT_WORDS = 'bad port';
const proxyWords = /^Proxy response \((\d{3})\)/;

function readCode(error: Error): string | undefined {
  if (error.message === BAD_PORT_WORDS) return BAD_PORT_CODE;
  const refusal = proxyWords.exec(error.message)?.[1];
  if (refusal !== undefined) return `PROXY_${refusal}`;
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
