import { explainFault, ServiceError } from '@aftermeet/client/pure';

import { listCauses } from './list-causes.ts';

export interface RequestFault {
  readonly doing: string;
  /** With which n8n ends an execution. */
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
}

/** How axios says that its time was up; Node.js itself would name the call that failed (`syscall`). */
const timeoutCodes: ReadonlySet<string> = new Set(['ECONNABORTED', 'ETIMEDOUT']);
/** Of a certificate that is refused, and so before the request is sent. */
const certificateCode = /^(?:CERT_|DEPTH_ZERO_|ERR_TLS_CERT|HOSTNAME_MISMATCH|SELF_SIGNED_|UNABLE_TO_)/;
/** What OpenSSL says of an answer to its first words that is not TLS at all. */
const notTlsWords = /wrong version number|packet length too long|unknown protocol/i;
/** n8n's protection of the machines around it. */
const blockedName = /^SsrfBlocked/;

/**
 * What n8n's `httpRequestWithAuthentication` threw, as a `ServiceError`. It wraps the error of axios, and that wraps the one of
 * Node.js; both hold the request with its headers, so that nothing of them is kept but a code. Surely unsent, and not worth a
 * repetition, is what ends before the first byte of a request: a certificate that is not trusted, an answer that is no TLS, an
 * address that n8n itself does not allow.
 */
export function explainRequestFault(error: unknown, facts: RequestFault): ServiceError {
  if (error instanceof ServiceError) return error;
  const { doing, signal, timeoutMs } = facts;
  const chain: readonly Cause[] = listCauses(error);
  const codes = chain.map(({ code }) => code).filter((code) => typeof code === 'string');
  if (signal?.aborted === true || codes.includes('ERR_CANCELED')) {
    return new ServiceError({ code: 'aborted', doing });
  }
  if (codes.some((code) => timeoutCodes.has(code)) && chain.every(({ syscall }) => syscall === undefined)) {
    const detail = timeoutMs === undefined ? 'no answer in time' : `no answer in ${timeoutMs} ms`;
    return new ServiceError({ code: 'timeout', doing, detail });
  }
  const detail = findHopeless(chain, codes);
  if (detail !== undefined) {
    return new ServiceError({ code: 'connection', doing, detail, unsent: true, retryable: false });
  }
  return explainFault(error, { doing, signal, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
}

interface Cause {
  readonly name: string;
  readonly message: string;
  readonly code?: unknown;
  readonly syscall?: unknown;
}

/** Why no attempt can get further than this one, where that is so. */
function findHopeless(chain: readonly Cause[], codes: readonly string[]): string | undefined {
  const certificate = codes.find((code) => certificateCode.test(code));
  if (certificate !== undefined) return `the certificate of the service is not trusted (${certificate})`;
  if (codes.includes('EPROTO') && chain.some(({ message }) => notTlsWords.test(message))) {
    return 'the service does not speak https (EPROTO)';
  }
  const blocked = chain.find(({ name }) => blockedName.test(name));
  return blocked === undefined ? undefined : `n8n does not let requests go to this address (${blocked.name})`;
}
