import type { IncomingMessage, ServerResponse } from 'node:http';

/** Node keeps the first of two `Host` lines; a proxy before us may have gone by the other one. */
export function hasDoubledHost({ rawHeaders }: IncomingMessage): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1;
}

/** A server must answer 400 (RFC 9112, 3.2); what follows on the connection can't be trusted either. */
export function refuseDoubledHost(response: ServerResponse): void {
  response.writeHead(400, { 'content-length': '0', connection: 'close' });
  response.end();
}
