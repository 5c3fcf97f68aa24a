import type { IncomingMessage } from 'node:http';

import type { Refused } from './outcome.ts';

const jsonType = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i;

/**
 * What can be refused before a byte of the body is read. A delivery without a content type passes: the
 * specification doesn't promise one, and a refusal would lose the event for ever. An empty header is none.
 */
export function refuseByHead(request: IncomingMessage): Refused | undefined {
  if (request.method !== 'POST') return { kind: 'wrong_method', cause: 'not a POST' };
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && !encoding.split(',').every(isNoEncoding)) {
    return { kind: 'wrong_encoding', cause: 'content-encoding other than identity' };
  }
  const type = request.headers['content-type'];
  if (type !== undefined && type.trim() !== '' && !jsonType.test(type.trim())) {
    return { kind: 'wrong_content_type', cause: 'content-type is not JSON' };
  }
  return undefined;
}

function isNoEncoding(encoding: string): boolean {
  const name = encoding.trim().toLowerCase();
  return name === '' || name === 'identity';
}
