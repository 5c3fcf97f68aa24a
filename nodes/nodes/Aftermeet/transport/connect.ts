import {
  type Client,
  type Connection,
  createMethods,
  createTimeLimit,
  DEFAULT_RETRIES,
  DEFAULT_TIMEOUT_MS,
  parseAddress,
  ServiceError,
  type TimeLimit,
} from '@aftermeet/client/pure';
import { sleep } from 'n8n-workflow';

import { explainRequestFault } from './errors.ts';
import {
  combineSignals,
  credentialName,
  fetchThroughN8n,
  findCancelSignal,
  type ServiceContext,
} from './n8n-fetch.ts';

/** The client's methods, which ask through n8n with the node's credential. */
export type ServiceClient = Pick<Client, 'recordings' | 'reports' | 'templates' | 'meetings' | 'tags'> & {
  readonly connection: Connection;
};

export interface ConnectOptions {
  /** How often what may be repeated is; default as in the client. */
  readonly retries?: number;
  /** Of one attempt, unless the author of the workflow says it; default as in the client. */
  readonly timeoutMs?: number;
  /** How long all attempts and waits may take, unless the author of the workflow says it. */
  readonly totalMs?: number;
  /** Ends the attempt under way and allows no further one, as the end of the execution does. */
  readonly signal?: AbortSignal | undefined;
  /** Waits between two attempts; default `pauseFor`. */
  readonly pause?: (ms: number) => Promise<void>;
  /** From 0 up to 1; default `Math.random`. */
  readonly random?: () => number;
  /** Unix milliseconds; default the system's. */
  readonly clock?: () => number;
}

/** Throws `ServiceError` for a credential that cannot ask the service. */
export async function connect(context: ServiceContext, options: ConnectOptions = {}): Promise<ServiceClient> {
  const connection = await openConnection(context, options);
  return { connection, ...createMethods(connection) };
}

/** Its limits are those of the item that n8n works on at the moment. */
export async function openConnection(
  context: ServiceContext,
  options: ConnectOptions = {},
): Promise<Connection> {
  const { baseUrl, apiKey } = await readCredential(context);
  const { retries = DEFAULT_RETRIES, random = Math.random, clock = Date.now, pause } = options;
  const signal = combineSignals(findCancelSignal(context), options.signal);
  const findTimeoutMs = (): number =>
    findRequestLimits(context).timeoutMs ?? options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  return {
    baseUrl,
    apiKey,
    fetch: fetchThroughN8n(context, { idleMs: () => findTimeoutMs() + IDLE_MORE_MS, signal }),
    assertKeyAllowed: async () => {},
    get timeoutMs() {
      return findTimeoutMs();
    },
    get totalMs() {
      return findTotalMs(context, options.totalMs);
    },
    startTimeLimit,
    explainFault: (error, facts) =>
      explainRequestFault(error, { ...facts, signal: signal?.aborted === true ? signal : facts.signal }),
    headers: { 'user-agent': 'n8n-nodes-aftermeet' },
    retries,
    random,
    async wait(ms) {
      await (pause ?? pauseFor(signal))(ms);
      throwIfCancelled(signal);
    },
    clock,
  };
}

/** By then the request has met its own limit, whose error says more. */
const IDLE_MORE_MS = 1000;

/** How long an execution that was cancelled may go on waiting. */
const STEP_MS = 1000;

/** Waits that end soon after the signal aborts: n8n lets a node set no timer, and its `sleep` cannot be ended. */
function pauseFor(signal: AbortSignal | undefined): (ms: number) => Promise<void> {
  return async (ms) => {
    for (let left = ms; left > 0; left -= STEP_MS) {
      throwIfCancelled(signal);
      await sleep(Math.min(left, STEP_MS));
    }
  };
}

/** Whatever the reason that n8n gives. */
function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new DOMException('the execution was cancelled', 'AbortError');
}

/** n8n lets a node set no timer, and a signal's cannot be ended: at most one is under way. */
function startTimeLimit(timeoutMs: number, signal?: AbortSignal): TimeLimit {
  return createTimeLimit(signal, (end) => {
    let dueMs = Infinity;
    let isArmed = false;
    const arm = (ms: number): void => {
      isArmed = true;
      AbortSignal.timeout(Math.max(Math.ceil(ms), 0)).addEventListener('abort', () => {
        isArmed = false;
        const leftMs = dueMs - performance.now();
        if (leftMs === Infinity) return;
        if (leftMs > 0) arm(leftMs);
        else end();
      });
    };
    const pause = (): void => {
      dueMs = Infinity;
    };
    const restart = (): void => {
      dueMs = performance.now() + timeoutMs;
      if (!isArmed) arm(timeoutMs);
    };
    return { restart, pause };
  });
}

/** How long the requests for one item may take, as far as the author of the workflow says it. */
export interface RequestLimits {
  /** Of one attempt, until the service answers. */
  readonly timeoutMs?: number | undefined;
  /** Of one request with all its attempts and the waits between them. */
  readonly totalMs?: number | undefined;
}

/** By the execution: n8n works on one item of a node after the other. */
const limitsOf = new WeakMap<ServiceContext, RequestLimits>();

/** From now on the requests of this execution keep these limits. */
export function limitRequests(context: ServiceContext, limits: RequestLimits): void {
  limitsOf.set(context, limits);
}

export function findRequestLimits(context: ServiceContext): RequestLimits {
  return limitsOf.get(context) ?? {};
}

/** A silent service is asked for a third time, and a wait of a minute that it asks for is still kept. */
const TOTAL_MS = 90_000;

/** How long a request may take in all. Where only one attempt was limited, that attempt always fits in. */
function findTotalMs(context: ServiceContext, usualMs = TOTAL_MS): number {
  const { timeoutMs = 0, totalMs } = findRequestLimits(context);
  return totalMs ?? Math.max(usualMs, timeoutMs);
}

interface ServiceCredential {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Of the MCP endpoint, without `/mcp`; undefined where none is given. */
  readonly mcpUrl: string | undefined;
  /** Only for leaving it out of errors: n8n itself sends it. */
  readonly apiKey: string;
}

/** Throws `ServiceError` for an address that is none, and without a key. */
export async function readCredential(context: ServiceContext): Promise<ServiceCredential> {
  const { baseUrl, mcpUrl, apiKey } = await context.getCredentials(credentialName);
  // n8n asks for it only when it sends, where a missing key would pass for a connection that broke.
  if (isBlank(apiKey))
    throw refuseCredential('the credential has no API Key: only the Aftermeet Trigger can use it');
  return {
    baseUrl: readCredentialAddress(baseUrl, 'Base Address'),
    mcpUrl: isBlank(mcpUrl) ? undefined : readCredentialAddress(mcpUrl, 'MCP Address'),
    // As it is sent (credentials/sign-request.ts).
    apiKey: typeof apiKey === 'string' ? apiKey.trim() : '',
  };
}

function isBlank(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value.trim() === '');
}

function readCredentialAddress(value: unknown, field: string): string {
  const reading = parseAddress(typeof value === 'string' ? value.trim() : value);
  if (reading.ok) return reading.address;
  throw refuseCredential(`${field} in the credential must be ${reading.expected}`);
}

function refuseCredential(detail: string): ServiceError {
  return new ServiceError({ code: 'bad_request', operation: 'credential', detail, unsent: true });
}
