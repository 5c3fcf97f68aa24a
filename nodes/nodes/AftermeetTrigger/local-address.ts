/** Names of this machine, and what only a private network knows. */
const localName = /^(?:localhost|.*\.(?:localhost|local|internal|home\.arpa)|[^.:]+)$/;
/** RFC 1122 (loopback), RFC 1918, RFC 3927, RFC 6598, and 0.0.0.0. */
const localIpv4 =
  /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
/** Loopback, RFC 4193, link-local, and IPv4 in IPv6. */
const localIpv6 = /^\[(?:::1?|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*|::ffff:.*)\]$/;

/** Whether an address is one that the service refuses to deliver to: this machine's, or a private network's. Pure. */
export function isLocalAddress(address: string): boolean {
  if (!URL.canParse(address)) return true;
  const host = new URL(address).hostname.replace(/\.$/, '');
  if (/^\d+(?:\.\d+){3}$/.test(host)) return localIpv4.test(host);
  return host.startsWith('[') ? localIpv6.test(host) : localName.test(host);
}
