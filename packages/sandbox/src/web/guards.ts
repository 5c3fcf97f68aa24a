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

/**
 * True for a host that no stranger can have given the address of this machine (DNS rebinding): an address, which is looked
 * up nowhere, and a name that cannot be registered, such as `sandbox` in a compose network or `host.docker.internal`.
 * Of `.local` only the services of Kubernetes: any machine of the network can announce the others (mDNS).
 */
export function isUnregistrable(name: string): boolean {
  const bare = name.toLowerCase().replace(/^\[|\]$/g, '');
  return (
    isIP(bare) !== 0 ||
    /^[^.]+$/.test(bare) ||
    /\.(?:internal|localhost|svc\.cluster\.local|test)$/.test(bare)
  );
}

/** The host part of a Host header or an origin's authority, without its port. */
function readHostName(authority: string): string | undefined {
  return URL.canParse(`http://${authority}`) ? new URL(`http://${authority}`).hostname : undefined;
}

/** The names in any case; those of requests are in lower case. */
function matchNames(names: readonly string[]): (name: string) => boolean {
  const known = new Set(names.map((name) => name.toLowerCase()));
  return (name) => known.has(name);
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
 * rebinding) and no page of another site sent it (Origin, Sec-Fetch-Site).
 */
export function guardHost(allowedHosts: readonly string[] = []): Guard {
  const isAllowed = matchNames(allowedHosts);
  return (request, response, next) => {
    const host = request.headers.host ?? '';
    const name = readHostName(host);
    const { origin } = request.headers;
    if (name === undefined || !(isLoopbackName(name) || isAllowed(name))) {
      refuse(response, 'The Host header is not a name of this machine; use 127.0.0.1 or localhost.');
    } else if ((origin !== undefined && origin !== `http://${host}`) || isForeignFetch(request)) {
      refuse(response, 'Another site sent this request; open the page of the sandbox itself.');
    } else next();
  };
}

/**
 * Refuses requests from pages of other sites: a page can post a form to any port of this machine, and the key of a sandbox
 * is known. A page that writes always sends an Origin, and one that has rebound its own name to this machine sends that as
 * Host. For routes that containers and other machines call: see `isUnregistrable`.
 */
export function guardPages(allowedHosts: readonly string[] = []): Guard {
  const isAllowed = matchNames(allowedHosts);
  return (request, response, next) => {
    const { origin } = request.headers;
    const host = readHostName(request.headers.host ?? '');
    if (host === undefined || !(isUnregistrable(host) || isAllowed(host))) {
      refuse(
        response,
        'The sandbox does not know the name in the Host header; use 127.0.0.1 or localhost, or allow the name: with --allow-host of aftermeet sandbox, or in code with allowedHosts.',
      );
      return;
    }
    const name = origin === undefined || !URL.canParse(origin) ? undefined : new URL(origin).hostname;
    const isOwn = name !== undefined && (isLoopbackName(name) || isAllowed(name));
    if ((origin === undefined || isOwn) && !isForeignFetch(request)) next();
    else refuse(response, 'The page of another site sent this request; the sandbox refuses those.');
  };
}

/** A browser says it of what a page of another site loads or sends. A link that a person follows there opens a page. */
function isForeignFetch({ method, headers }: Request): boolean {
  const isLink =
    (method === 'GET' || method === 'HEAD') &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document';
  return headers['sec-fetch-site'] === 'cross-site' && !isLink;
}

function refuse(response: Response, message: string): void {
  response.status(403).json({ code: 'NOT_LOCAL', message });
}

/** Refuses a body that no parser has read. Mount it behind the body parsers. */
export const refuseUnreadBody: readonly RequestHandler[] = [
  express.raw({ type: () => true }),
  (request, response, next) => {
    const body: unknown = request.body;
    if (!Buffer.isBuffer(body)) next();
    else if (body.length === 0) {
      request.body = undefined;
      next();
    } else {
      const message = 'The body was not read: send JSON with Content-Type: application/json.';
      response.status(400).json({ code: 'INVALID_REQUEST', message });
    }
  },
];

/** What is wrong with a request that Express or its body parsers refuse; undefined for any other error. */
export function describeRequestFault(
  error: unknown,
  limit: string,
): { readonly status: number; readonly message: string } | undefined {
  if (error instanceof URIError) return { status: 400, message: 'The path must be percent-encoded UTF-8.' };
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined;
  return status === 413
    ? { status, message: `The body must have at most ${limit}.` }
    : { status: 400, message: 'The body must be JSON in UTF-8.' };
}
