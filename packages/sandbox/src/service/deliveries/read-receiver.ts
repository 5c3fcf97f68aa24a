/** Where a delivery goes, as `node:http` wants it. */
export interface Receiver {
  readonly origin: string;
  readonly isSecure: boolean;
  /** Without the brackets of an IPv6 address. */
  readonly hostname: string;
  readonly port: number;
  /** Of the Host header. */
  readonly host: string;
  /** With the query; it may be a capability. */
  readonly path: string;
}

/** Undefined where the address is not one of http or https. */
export function readReceiver(address: string): Receiver | undefined {
  const url = parseAddress(address);
  if (url === undefined) return undefined;
  const { protocol, origin, hostname, port, host, pathname, search } = url;
  const isSecure = protocol === 'https:';
  if (!isSecure && protocol !== 'http:') return undefined;
  return {
    origin,
    isSecure,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    host,
    path: pathname + search,
  };
}

/** `URL.canParse` before it would cost as much as the parsing. */
function parseAddress(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}
