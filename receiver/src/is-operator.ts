import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const loopbackPeer = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
/** A page of another site can make a browser here send requests, but with another name in `Host`. */
const loopbackHost = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;

/** Whether a `Host` names this machine. */
export function isLoopbackHost(host: string): boolean {
  return loopbackHost.test(host);
}

/** Headers that proxies add; with one of them the request came from another machine. */
const proxyHeader =
  /^(?:x-forwarded-.*|forwarded|via|x-real-ip|cf-connecting-ip|true-client-ip|x-client-ip|x-cluster-client-ip)$/;

/** How an operator is recognised. */
export interface OperatorRule {
  readonly adminToken: string | undefined;
  /** Refuses all requests as long as there is no token. */
  readonly requireToken: boolean | undefined;
}

/** A request as Express hands it on: `url` may be cut, `originalUrl` is the target as it came. */
export type OperatorRequest = IncomingMessage & { readonly originalUrl: string };

/** With a token, its bearer; without one, a peer on this machine that asked for this machine. */
export function isOperator(
  request: OperatorRequest,
  { adminToken, requireToken = false }: OperatorRule,
): boolean {
  if (adminToken === undefined) {
    return (
      !requireToken &&
      !Object.keys(request.headers).some((name) => proxyHeader.test(name)) &&
      loopbackPeer.test(request.socket.remoteAddress ?? '') &&
      loopbackHost.test(readOnce(request, 'host') ?? '') &&
      isLoopbackTarget(request.originalUrl) &&
      isOwnPage(request.headers)
    );
  }
  const given = /^Bearer +(\S+)$/i.exec(readOnce(request, 'authorization') ?? '')?.[1];
  return given !== undefined && isSame(given, adminToken);
}

/** Compares two texts in constant time, whatever their lengths. */
export function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given), sha256(expected));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Node keeps the first of repeated lines; a proxy in front may have used the other. */
export function readOnce(request: IncomingMessage, name: string): string | undefined {
  const lines = request.headersDistinct[name];
  return lines?.length === 1 ? lines[0] : undefined;
}

/** The host in a target of absolute form counts, not `Host` (RFC 9112, 3.2.2). */
function isLoopbackTarget(target: string): boolean {
  if (target.startsWith('/')) return true;
  return URL.canParse(target) && loopbackHost.test(new URL(target).host);
}

/** Refuses requests that a page of another site makes in the operator's browser. */
function isOwnPage({ origin, host, 'sec-fetch-site': site }: IncomingMessage['headers']): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  return origin === undefined || origin === `http://${host}`;
}
