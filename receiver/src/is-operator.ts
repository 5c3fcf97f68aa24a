import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const loopbackPeer = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
/** A page of another site can make a browser here send requests, but not with our name in `Host`. */
const loopbackHost = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;

/** What proxies add: the peer on this machine then speaks for somebody elsewhere. */
const proxyHeader =
  /^(?:x-forwarded-.*|forwarded|via|x-real-ip|cf-connecting-ip|true-client-ip|x-client-ip|x-cluster-client-ip)$/;

/** What decides over who is the operator. */
export interface OperatorRule {
  readonly adminToken: string | undefined;
  /** Without a token nobody is. */
  readonly requireToken: boolean | undefined;
}

/** A request as Express hands it on: `url` may be cut, `originalUrl` is the target as it came. */
export type OperatorRequest = IncomingMessage & { readonly originalUrl: string };

/** With a token set, only its bearer; without one, only a peer on this machine that asked for this machine. */
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
  return given !== undefined && timingSafeEqual(sha256(given), sha256(adminToken));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Of doubled lines Node keeps the first one and says nothing: somebody in between may have read the other. */
function readOnce(request: IncomingMessage, name: string): string | undefined {
  const lines = request.headersDistinct[name];
  return lines?.length === 1 ? lines[0] : undefined;
}

/** The name in a target of absolute form is what was asked for, whatever `Host` says (RFC 9112, 3.2.2). */
function isLoopbackTarget(target: string): boolean {
  if (target.startsWith('/')) return true;
  return URL.canParse(target) && loopbackHost.test(new URL(target).host);
}

/** A browser names the page that asks: another site may not, though a form of its reaches us under our own name. */
function isOwnPage({ origin, host, 'sec-fetch-site': site }: IncomingMessage['headers']): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  return origin === undefined || origin === `http://${host}`;
}
