import type { Request, Response } from 'express';

import { isLoopbackHost, readOnce } from '../is-operator.ts';

/** A page elsewhere can give its own name the address of this machine: such a name opens nothing. */
export function isOwnHost(request: Request, publicUrl: string | undefined, isOpen: boolean): boolean {
  const host = readOnce(request, 'host') ?? '';
  if (isLoopbackHost(host)) return true;
  if (isOpen) return false;
  return publicUrl === undefined ? host !== '' : host.toLowerCase() === new URL(publicUrl).host;
}

/** The `Origin` of a form of these pages; one that is absent is refused. */
export function isOwnOrigin(request: Request, publicUrl: string | undefined): boolean {
  const origin = readOnce(request, 'origin') ?? '';
  const host = readOnce(request, 'host') ?? '';
  const own = [
    `http://${host}`,
    `https://${host}`,
    ...(publicUrl === undefined ? [] : [new URL(publicUrl).origin]),
  ];
  return own.includes(origin);
}

/** On other hosts than this machine only HTTPS carries the cookie. */
export function cookieName(request: Request): string {
  return isSecure(request) ? '__Host-aftermeet_console' : 'aftermeet_console';
}

export function cookieOptions(request: Request) {
  return { httpOnly: true, sameSite: 'strict', secure: isSecure(request), path: '/' } as const;
}

function isSecure(request: Request): boolean {
  return !isLoopbackHost(readOnce(request, 'host') ?? '');
}

export function setCookie(request: Request, response: Response, cookie: string): void {
  response.cookie(cookieName(request), cookie, cookieOptions(request));
}

export function readCookie(request: Request): string | undefined {
  const name = cookieName(request);
  const found = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`));
  return found.length === 1 ? found[0]?.slice(name.length + 1) : undefined;
}

/** A path of the console; anything else becomes its first page. */
export function readOwnPath(path: string): string {
  return /^\/console(?:$|[/?])[\w/?=&%.~+-]*$/.test(path) || path === '/console' ? path : '/console';
}

export function readField(request: Request, name: string): string {
  const body: unknown = request.body;
  if (typeof body !== 'object' || body === null) return '';
  const value: unknown = new Map(Object.entries(body)).get(name);
  return typeof value === 'string' ? value : '';
}

export function readQuery(request: Request, name: string): string {
  const value = request.query[name];
  return typeof value === 'string' ? value : '';
}
