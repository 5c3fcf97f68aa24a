/** Failures of making a connection: nothing was sent yet. */
const connectCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_INVALID_URL',
]);

/** These can also end a connection that carried data, unless connecting was what failed. */
const networkCodes: ReadonlySet<string> = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT']);

/**
 * The code of a connection failure that came before anything was sent, looked for along the chain of
 * causes; nothing when data may have left.
 */
export function findConnectFailure(error: unknown): string | undefined {
  let link: unknown = error;
  for (let depth = 0; depth < 6 && link instanceof Error; depth += 1) {
    const code = 'code' in link && typeof link.code === 'string' ? link.code : '';
    const isConnecting = 'syscall' in link && link.syscall === 'connect';
    if (connectCodes.has(code) || (networkCodes.has(code) && isConnecting)) return code;
    link = link.cause ?? ('original' in link ? link.original : undefined);
  }
  return undefined;
}
