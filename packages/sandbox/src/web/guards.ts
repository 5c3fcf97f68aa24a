import { BlockList, isIP } from 'node:net';

import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';

const loopbackRanges = new BlockList();

loopbackRanges.addSubnet('127.0.0.0', 8, 'ipv4');

loopbackRanges.addAddress('::1', 'ipv6');

/** True for a literal loopback address, in IPv4, IPv6 or IPv4-mapped form. */
export function isLoopbackAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && loopbackRanges.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

/** True for a name that means this machine: `localhost`, `*.localhost` (RFC 6761) or a literal loopback address. */
export function isLoopbackName(name: string): boolean {
  const bare = name.toLowerCase().replace(/^\[|\]$/g, '');
  return bare === 'localhost' || bare.endsWith('.localhost') || isLoopbackAddress(bare);
}

/** The host part of a Host header or an origin's authority, without its port. */
function readHostName(authority: string): string | undefined {
  return URL.canParse(`http://${authority}`) ? new URL(`http://${authority}`).hostname : undefined;
}

type Guard = (request: Request, response: Response, next: NextFunction) => void;

/**
 * Allows a request only from this machine, with headers that pass `guardHost`.
 * `allowedHosts` adds host names, for a container reached by its service name.
 */
export function guardLocal(allowedHosts: readonly string[] = []): Guard {
  const guard = guardHost(allowedHosts);
  return (request, response, next) => {
    if (isLoopbackAddress(request.socket.remoteAddress ?? '')) guard(request, response, next);
    else refuse(response, 'The control routes answer to this machine only.');
  };
}

/**
 * Allows a request only if the Host header is a loopback name or one of `allowedHosts` (else a web page could use DNS
 * rebinding) and no page of another site sent it (Origin).
 */
export function guardHost(allowedHosts: readonly string[] = []): Guard {
  return (request, response, next) => {
    const host = request.headers.host ?? '';
    const name = readHostName(host);
    const { origin } = request.headers;
    if (name === undefined || !(isLoopbackName(name) || allowedHosts.includes(name))) {
      refuse(response, 'The Host header is not a name of this machine; use 127.0.0.1 or localhost.');
    } else if (origin !== undefined && origin !== `http://${host}`) {
      refuse(response, 'Another site sent this request; open the page of the sandbox itself.');
    } else next();
  };
}

/**
 * Refuses requests from pages of other sites, by their Origin: a page can post a form to any port of this machine, and
 * the key of a sandbox is known. For routes that are reachable under any host name. A page that writes always sends an Origin.
 */
export function guardOrigin(allowedHosts: readonly string[] = []): Guard {
  return (request, response, next) => {
    const { origin } = request.headers;
    const name = origin === undefined || !URL.canParse(origin) ? undefined : new URL(origin).hostname;
    const isOwn = name !== undefined && (isLoopbackName(name) || allowedHosts.includes(name));
    if (origin === undefined || isOwn) next();
    else refuse(response, 'The page of another site sent this request; the sandbox refuses those.');
  };
}

function refuse(response: Response, message: string): void {
  response.status(403).json({ code: 'NOT_LOCAL', message });
}

/** Refuses a body that no parser has read. Mount it behind the body parsers. */
export const refuseUnreadBody: readonly RequestHandler[] = [
  express.raw({ type: () => true }),
  (request, response, next) => {
    const body: unknown = request.body;
    const isUnread = Buffer.isBuffer(body);
    if (isUnread && body.length === 0) request.body = undefined;
    if ((isUnread && body.length > 0) || isJsonAsForm(body)) {
      response.status(400).json({
        code: 'INVALID_REQUEST',
        message: 'The body was not read: send JSON with Content-Type: application/json.',
      });
    } else next();
  },
];

/** `curl -d` sends JSON as a form whose first field name begins like an object. */
function isJsonAsForm(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  const [field] = Object.keys(body);
  return field !== undefined && /^\s*[{[]/.test(field);
}
