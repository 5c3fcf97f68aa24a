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
      loopbackHost.test(request.headers.host ?? '')
    );
  }
  const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  return given !== undefined && timingSafeEqual(sha256(given), sha256(adminToken));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
