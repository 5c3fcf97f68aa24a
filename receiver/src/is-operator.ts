import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const loopbackPeer = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
/** A page of another site can make a browser here send requests, but not with our name in `Host`. */
const loopbackHost = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;

/** With a token set, only its bearer; without one, only a peer on this machine that asked for this machine. */
export function isOperator(request: IncomingMessage, adminToken: string | undefined): boolean {
  if (adminToken === undefined) {
    return (
      loopbackPeer.test(request.socket.remoteAddress ?? '') && loopbackHost.test(request.headers.host ?? '')
    );
  }
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  return given !== undefined && timingSafeEqual(sha256(given), sha256(adminToken));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
