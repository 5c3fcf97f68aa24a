import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a link of a request for approval holds: the request's id and a MAC over it. 144 hex digits. */
export function writeApprovalToken(key: string, id: string): string {
  return `${id}${computeMac(key, id).toString('hex')}`;
}

/** The request that a token names; undefined: it is not one of ours. Constant time. */
export function readApprovalToken(key: string, token: string): string | undefined {
  if (!/^[0-9a-f]{144}$/.test(token)) return undefined;
  const [id, mac] = [token.slice(0, 80), token.slice(80)];
  return timingSafeEqual(Buffer.from(mac, 'hex'), computeMac(key, id)) ? id : undefined;
}

function computeMac(key: string, id: string): Buffer {
  // The label keeps it from being any other token of this key.
  return createHmac('sha256', Buffer.from(key, 'hex')).update(`approval link ${id}`).digest();
}
