import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const loopbackPeer = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
/** A page of another site can make a browser here send requests, but not with our name in `Host`. */
const loopbackHost = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;

/** What proxies add: the peer on this machine then speaks for somebody elsewhere. */
const proxyHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/** With a token set, only its bearer; without one, only a peer on this machine that asked for this machine. */
export function isOperator(request: IncomingMessage, adminToken: string | undefined): boolean {
  if (adminToken === undefined) {
    return (
      proxyHeaders.every((name) => request.headers[name] === undefined) &&
      loopbackPeer.test(request.socket.remoteAddress ?? '') &&
      loopbackHost.test(readOnce(request, 'host') ?? '') &&
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

/** A browser names the page that asks: another site may not, though a form of its reaches us under our own name. */
function isOwnPage({ origin, host }: IncomingMessage['headers']): boolean {
  return origin === undefined || origin === `http://${host}`;
}
