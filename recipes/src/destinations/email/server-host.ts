import { isIP } from 'node:net';

/** Whether the host of an address is this machine, by its name or its literal address. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase();
  return host === 'localhost' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** Options of the mail library that connect to another host than the one in the address. */
const leadElsewhere = ['service', 'proxy'];

/**
 * Whether password and mail wait until the connection is encrypted. Only a server on this machine is exempt, and one
 * whose address says `requireTLS=false`. A server that offers TLS is never used without, exempt or not. Of `smtps:` too:
 * with `service=` the library takes the port of its own list, and begins in clear where that says so.
 */
export function requiresTls(smtpUrl: string): boolean {
  const { hostname, searchParams } = new URL(smtpUrl);
  const said = searchParams.getAll('requireTLS');
  if (said.length > 0) return said.some((word) => word !== 'false');
  return !isLoopback(hostname) || leadElsewhere.some((name) => searchParams.has(name));
}

/** Whether the certificate of the server has to hold. Not left to the library: a variable of the environment turns that off. */
export function checksCertificate(smtpUrl: string): boolean {
  const said = new URL(smtpUrl).searchParams.getAll('tls.rejectUnauthorized');
  return said.length === 0 || said.some((word) => word !== 'false');
}
