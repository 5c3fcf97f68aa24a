import { type Client, createClient, ServiceError } from '@aftermeet/client';
import {
  type CallFault,
  type Completion,
  createSandbox,
  type FaultOrder,
  type Sandbox,
} from '@aftermeet/sandbox';

/** A fault of a call, as `POST /_sandbox/faults` takes it. */
export type Order = FaultOrder<CallFault>;

const API_KEY = 'key_for_tests_only';

/** What a client does between its tries takes no time here, and is written down. */
export interface WatchedClient extends Client {
  /** How long it waited before each repetition, in milliseconds. */
  readonly waits: readonly number[];
}

/** A sandbox whose calls fail as a test plans it. */
export interface FaultyService {
  readonly sandbox: Sandbox;
  readonly url: string;
  /** A client of the usual four retries, or of so many; it gives up waiting for an answer after `timeoutMs`. */
  readonly connect: (options?: { readonly retries?: number; readonly timeoutMs?: number }) => WatchedClient;
  /** Plans a fault on the calls of one operation, in place of every earlier one. */
  readonly plan: (on: string, order: Order) => void;
  /** How many calls of that operation have come since, with the fault and without. */
  readonly countCalls: () => number;
  /** Records a meeting and lets it end. */
  readonly holdMeeting: (title: string, completion?: Completion) => Promise<string>;
  /** How many meetings there are. */
  readonly countMeetings: () => Promise<number>;
  readonly close: () => Promise<void>;
}

export async function startFaultyService(): Promise<FaultyService> {
  const sandbox = createSandbox({ apiKey: API_KEY, seed: 7 });
  const { url } = await sandbox.listen();

  function connect({ retries = 4, timeoutMs = 5000 } = {}): WatchedClient {
    const waits: number[] = [];
    const client = createClient({
      baseUrl: url,
      apiKey: API_KEY,
      retries,
      timeoutMs,
      random: () => 1,
      wait: async (ms) => void waits.push(ms),
    });
    return { ...client, waits };
  }

  const looker = connect({ retries: 0 });
  const { faults } = sandbox;
  return {
    sandbox,
    url,
    connect,
    plan(on, order) {
      faults.clear();
      faults.add({ ...order, on });
      // It changes nothing about the calls that the fault spares, and counts them.
      faults.add({ kind: 'latency', ms: 0, on, times: null });
    },
    countCalls: () => faults.list().reduce((sum, { happened }) => sum + happened, 0),
    async holdMeeting(title, completion) {
      const link = `https://meet.example/${encodeURIComponent(title)}`;
      const { meetingId } = await looker.recordings.start({ link, title });
      sandbox.completeMeeting(meetingId, completion);
      return meetingId;
    },
    async countMeetings() {
      let count = 0;
      for await (const { items } of looker.meetings.search()) count += items.length;
      return count;
    },
    close: sandbox.close,
  };
}

/** Faults after which a read is repeated, and what is said where that was in vain. */
export const brokenFaults = [
  { name: 'reset', order: { kind: 'reset' }, code: 'connection', said: /^connection: ECONNRESET$/ },
  { name: 'empty', order: { kind: 'empty' }, code: 'connection', said: /^connection: UND_ERR_SOCKET$/ },
  {
    name: 'garbage',
    order: { kind: 'garbage' },
    code: 'connection',
    // Node 20 has a code of its parser for it, Node 24 the name of the error.
    said: /^connection: (HPE_INVALID_CONSTANT|HTTPParserError)$/,
  },
  { name: 'cut', order: { kind: 'cut' }, code: 'connection', said: /^connection: UND_ERR_SOCKET$/ },
  {
    name: 'drop_after',
    order: { kind: 'drop_after' },
    code: 'connection',
    said: /^connection: UND_ERR_SOCKET$/,
  },
  {
    name: '500',
    order: { kind: 'status', status: 500 },
    code: 'server',
    said: /^answered 500: A fault that was planned at \/_sandbox\/faults: 500\.$/,
  },
  {
    name: '429',
    order: { kind: 'status', status: 429, retry_after_seconds: 3 },
    code: 'rate_limited',
    said: /^answered 429: A fault that was planned at \/_sandbox\/faults: 429\.$/,
  },
] as const;

/** The `ServiceError` of a call that must end with one. */
export async function catchFault(promise: Promise<unknown>): Promise<ServiceError> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome && outcome.error instanceof ServiceError) return outcome.error;
  throw new Error('Expected a ServiceError.', { cause: outcome });
}
