/**
 * The address of a listening server as somebody on this machine reaches it: IPv6 in brackets, and a
 * wildcard as the loopback that it includes.
 */
export function formatAddress(host: string, port: number): string {
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
