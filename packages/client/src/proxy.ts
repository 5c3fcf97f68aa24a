import type { Agent, AgentOptions, ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

import { getProxyForUrl } from 'proxy-from-env';

import type { ClientOptions } from './client.ts';
import { CONNECT_TIMEOUT_CODE, UnsentFault, unsentFault } from './system-fault.ts';

/**
 * The proxy for this address: the one that is given, or the one that the environment names (`HTTPS_PROXY`, `HTTP_PROXY`,
 * `ALL_PROXY`, `NO_PROXY`). Undefined for a direct connection.
 */
export function findProxy(url: URL, proxy: ClientOptions['proxy']): string | undefined {
  if (proxy === false || typeof proxy === 'string') return proxy || undefined;
  // A sandbox on this machine is no business of the proxy.
  if (/^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname)) return undefined;
  const found = getProxyForUrl(url.href);
  if (found === '') return undefined;
  // Without a scheme it is meant as http, as curl reads it; the library takes the scheme of the address.
  const written = readVariable(`${url.protocol.slice(0, -1)}_proxy`) || readVariable('all_proxy');
  return written.includes('://') ? found : `http://${written}`;
}

function readVariable(name: string): string {
  return process.env[name] || process.env[name.toUpperCase()] || '';
}

/** The agent that sends requests through a proxy. Throws `UnsentFault` for an address that cannot be a proxy's. */
export async function openProxyAgent(address: string, options: AgentOptions): Promise<Agent> {
  if (!isProxyAddress(address)) throw unsentFault('PROXY_ADDRESS');
  // Through a tunnel for http too, as undici does: the proxy then sees no key.
  const { HttpsProxyAgent } = await import('https-proxy-agent');
  const url = new URL(address);
  const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const headers: Record<string, string> =
    login === ':' ? {} : { 'Proxy-Authorization': `Basic ${Buffer.from(login).toString('base64')}` };
  // The library writes the address into its debug log.
  url.username = '';
  url.password = '';
  const agent = new HttpsProxyAgent(url, { ...options, headers });
  // As Node's own agents have it; the library drops what it is given. A tunnel that has been idle may be gone.
  Object.assign(agent.options, { timeout: IDLE_SOCKET_MS, noDelay: true });
  return agent;
}

const IDLE_SOCKET_MS = 5000;

function isProxyAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password } = new URL(address);
  return /^https?:$/.test(protocol) && !/%(?![\dA-Fa-f]{2})/.test(username + password);
}

interface ConnectingFacts {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | null | undefined;
  /** Gets the first fault before the connection stands, in place of or before the request's own `error`. */
  readonly onUnsent: (fault: UnsentFault) => void;
}

/**
 * Follows a request until its connection stands, with TLS and through a proxy. Until then nothing of it is sent. A fault
 * or an abort of that time, and a connection that is not made in time, end it as an `UnsentFault`.
 */
export function watchConnecting(
  request: ClientRequest,
  { timeoutMs, signal, onUnsent }: ConnectingFacts,
): void {
  let isOver = false;
  const end = (): void => {
    isOver = true;
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  };
  const fail = (fault: UnsentFault): void => {
    if (isOver) return;
    end();
    onUnsent(fault);
    request.destroy(fault);
  };
  const onAbort = (): void => fail(new UnsentFault(signal?.reason));
  const timer = setTimeout(() => fail(unsentFault(CONNECT_TIMEOUT_CODE)), timeoutMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  request.prependListener('error', (error) => fail(new UnsentFault(error)));
  // Otherwise the proxy's refusal would pass for the service's answer.
  request.once('proxyConnect', ({ statusCode = 200 }: { readonly statusCode?: number }) => {
    if (statusCode !== 200) fail(unsentFault(`PROXY_${statusCode}`));
  });
  request.once('socket', (socket: Socket & Partial<TLSSocket & { secureConnecting: boolean }>) => {
    if (socket.secureConnecting === true) socket.once('secureConnect', end);
    else if (socket.connecting) socket.once('connect', end);
    else end();
  });
  // Its event has been.
  if (signal?.aborted === true) onAbort();
}
