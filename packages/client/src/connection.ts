import type { Problem } from '@aftermeet/contract';

import { parseAddress } from './address.ts';
import type { ClientOptions } from './client.ts';
import { type OperationName, ServiceError } from './errors.ts';
import { type AssertKeyAllowed, type Connection, isRedirect, readAnswer } from './http.ts';
import { asFields } from './loose.ts';
import {
  checkInteger,
  checkTimeout,
  DEFAULT_RETRIES,
  DEFAULT_TIMEOUT_MS,
  startTimeLimit,
} from './retries.ts';
import { refusalToError, refuseInput, toServiceError } from './service-fault.ts';
import { userAgent } from './version.ts';

const MAX_RETRIES = 100;

/** Checks the options once, for all calls. Throws `bad_request` with every rule that is broken. */
export function openConnection(options: ClientOptions): {
  readonly connection: Connection;
  readonly mcpUrl: string;
} {
  const { apiKey, timeoutMs = DEFAULT_TIMEOUT_MS, retries = DEFAULT_RETRIES, proxy = true } = options;
  const base = parseAddress(options.baseUrl);
  const mcp = options.mcpUrl === undefined ? base : parseAddress(options.mcpUrl);
  const problems: Problem[] = [
    ...(base.ok ? [] : [invalid('baseUrl', base.expected)]),
    ...(mcp.ok || mcp === base ? [] : [invalid('mcpUrl', mcp.expected)]),
    ...(mcp.ok && mcp.address.endsWith('/mcp')
      ? [invalid('mcpUrl', 'given without /mcp at its end, which is added')]
      : []),
    ...checkKey(apiKey),
    ...checkProxy(proxy),
    ...checkTimeout(timeoutMs),
    ...checkInteger('retries', retries, 0, MAX_RETRIES),
  ];
  if (!base.ok || !mcp.ok || problems.length > 0) throw refuseInput('createClient', problems);
  const given = options.fetch ?? chooseFetch(proxy);
  // Browsers refuse a `fetch` that is called as a method of something else.
  const ask: typeof fetch = (input, init) => given(input, init);
  const shared = { apiKey, fetch: ask, timeoutMs, startTimeLimit, clock: options.clock ?? Date.now };
  const connection = {
    ...shared,
    explainFault: toServiceError,
    headers: userAgent,
    proxy,
    baseUrl: base.address,
    assertKeyAllowed: createKeyGuard(shared),
    retries,
    random: options.random ?? Math.random,
    wait: options.wait ?? waitInRealTime,
    onRetry: options.onRetry,
  };
  return { connection, mcpUrl: mcp.address };
}

function checkKey(apiKey: unknown): readonly Problem[] {
  const isSendable = typeof apiKey === 'string' && /^[\x21-\x7E]+$/.test(apiKey);
  const expected = 'the key as the service shows it: ASCII characters without blanks or line ends';
  return isSendable ? [] : [invalid('apiKey', expected)];
}

/** Its value is not repeated: it may hold a password. */
function checkProxy(proxy: unknown): readonly Problem[] {
  const isRight =
    typeof proxy === 'string' ? /^https?:$/.test(parseProtocol(proxy)) : typeof proxy === 'boolean';
  return isRight ? [] : [invalid('proxy', 'the http or https address of a proxy, true or false')];
}

function parseProtocol(address: string): string {
  return URL.canParse(address) ? new URL(address).protocol : '';
}

/** The platform's `fetch` cannot be told of a proxy: where one may be meant, the one on `node:http` is loaded. */
function chooseFetch(proxy: boolean | string): typeof fetch {
  // Bun's and Deno's obey the variables themselves.
  const obeys = 'Bun' in globalThis || 'Deno' in globalThis;
  if (proxy === false || (proxy === true && (obeys || !hasProxyVariables()))) return fetch;
  return async (input, init) => {
    const { createKeepAliveFetch } = await import('./keep-alive-fetch.ts');
    return createKeepAliveFetch(proxy)(input, init);
  };
}

const proxyVariable = /^(?:https?|all)_proxy$/i;

/** Browsers have no environment. */
function hasProxyVariables(): boolean {
  const { process } = globalThis as { readonly process?: { readonly env?: NodeJS.ProcessEnv } };
  return Object.entries(process?.env ?? {}).some(([name, value]) => proxyVariable.test(name) && value !== '');
}

function invalid(name: string, expected: string): Problem {
  return { path: [name], code: 'invalid', expected };
}

/** As `setTimeout` of `node:timers/promises`, which other platforms do not have. */
function waitInRealTime(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(new DOMException('The wait was aborted.', 'AbortError'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) stop();
  });
}

type GuardFacts = Pick<Connection, 'apiKey' | 'fetch' | 'timeoutMs' | 'clock'>;

const SANDBOX_PREFIX = 'sandbox_';
const MAX_IDENTITY_BYTES = 4096;

/**
 * Keys of a sandbox begin with `sandbox_` and go to a sandbox only, so that a wrong key or address is named at once
 * instead of by a 401. Each address is asked without the key whether it is one, until it has said so.
 */
function createKeyGuard(facts: GuardFacts): AssertKeyAllowed {
  if (!facts.apiKey.startsWith(SANDBOX_PREFIX)) return async () => {};
  const sandboxes = new Set<string>();
  return async (address, operation, signal) => {
    if (sandboxes.has(address)) return;
    if (!(await isSandbox(address, facts, operation, signal))) {
      const detail =
        "the key begins with sandbox_ and this host is not a sandbox: set the service's own key, or the address of a sandbox";
      throw new ServiceError({ code: 'bad_request', operation, detail, unsent: true });
    }
    sandboxes.add(address);
  };
}

async function isSandbox(
  address: string,
  { fetch: ask, timeoutMs, clock }: GuardFacts,
  operation: OperationName,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (signal?.aborted === true) throw new ServiceError({ code: 'aborted', operation, unsent: true });
  const limit = startTimeLimit(timeoutMs, signal);
  try {
    const response = await ask(`${address}/_sandbox/identity`, { redirect: 'manual', signal: limit.signal });
    if (isRedirect(response)) return false;
    const body = await readAnswer(response, MAX_IDENTITY_BYTES);
    const { status } = response;
    if (status === 429 || status >= 500) {
      const retryAfter = response.headers.get('retry-after');
      throw refusalToError({ operation, status, body, retryAfter, nowMs: clock() });
    }
    return response.ok && asFields(body)?.['sandbox'] === 'aftermeet';
  } catch (error) {
    const fault = toServiceError(error, { operation, signal, timeout: limit.timeout, timeoutMs });
    // An answer of any length is no sandbox either.
    if (fault.code === 'unreadable') return false;
    throw fault.with({ unsent: true });
  } finally {
    limit.stop();
  }
}
