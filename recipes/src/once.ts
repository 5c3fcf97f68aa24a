import { openBackend, silentLog, type Log } from '@aftermeet/queue';

import { deriveEffectKey, hashTarget } from './engine/effect-key.ts';
import { DEFAULT_POLICY } from './engine/limits/policy.ts';
import type { Outcome } from './engine/outcome.ts';
import type { PreparedSend, ProbeResult, SendResult } from './engine/prepared-send.ts';
import { sendOnce } from './engine/send-once.ts';
import { openLedger } from './engine/store/open-stores.ts';
import { nameError, withinTime } from './own/call-own-code.ts';

/** How one effect is brought about, and found again. */
export interface OnceEffect {
  /**
   * Brings it about, and returns where it is: an id, an address. A throw means that the outcome is unknown; a thrown
   * `NotSent` means that nothing happened.
   */
  readonly send: (call: OnceCall) => Promise<string>;
  /**
   * Looks for what an earlier attempt brought about, and returns where it is; undefined: it is surely not there. A throw means
   * that it could not be asked. Absent: `whenUntraceable` decides.
   */
  readonly find?: (call: FindCall) => Promise<string | undefined>;
  /** A call of `send` and of `find` is over within this: the signal aborts then. Default: 10 seconds. */
  readonly timeoutMs?: number;
  /** After an attempt without an answer, where nothing can be looked up: send once more, or leave it. Default: `hold`. */
  readonly whenUntraceable?: 'resend' | 'hold';
}

interface OnceCall {
  /** As it was given: for an idempotency key, or a mark by which it is found. */
  readonly key: string;
  readonly signal: AbortSignal;
}

interface FindCall extends OnceCall {
  /** When the first attempt began; milliseconds since 1970. */
  readonly sinceMs: number;
}

export type OnceResult =
  /** `sentNow`: this run brought it about; false: an earlier one had. */
  | { readonly state: 'sent'; readonly reference: string; readonly sentNow: boolean }
  /** Nothing happened; it may be run again at once. */
  | { readonly state: 'not_sent'; readonly cause: string }
  /** Another run has it, or the outcome of one is not known yet: run it again after this time. */
  | { readonly state: 'wait'; readonly forMs: number; readonly cause: string }
  /** It may have happened, and nothing can tell: a person looks, and runs `aftermeet effects settle`. */
  | { readonly state: 'held'; readonly cause: string };

export interface Once {
  /** Rejects when the store can't be reached: then nothing was sent. */
  run(key: string, effect: OnceEffect): Promise<OnceResult>;
  close(): Promise<void>;
}

/** Thrown by `send`: nothing happened. An error and not a value, because `send` returns its reference. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
}

/**
 * Opens the ledger of a queue as a library: for effects of your own workers, or of another engine, that must happen once
 * although a step is run again. `queueUrl` is that of the worker: Redis, PostgreSQL or a folder.
 */
export async function openOnce(
  queueUrl: string,
  { log = silentLog, clock: given }: { readonly log?: Log; readonly clock?: () => number } = {},
): Promise<Once> {
  const backend = await openBackend(queueUrl, { log });
  const clock = given ?? backend.clock.now;
  const ledger = await openLedger(backend, { clock }).catch(async (error: unknown) => {
    await backend.close();
    throw error;
  });
  return {
    run: async (key, effect) => {
      const { timeoutMs = 10_000, whenUntraceable = 'hold' } = effect;
      const policy = { ...DEFAULT_POLICY, timeoutMs, whenUntraceable, graceMs: 0 };
      const outcome = await sendOnce(
        nameEffect(key),
        prepare(key, effect, timeoutMs),
        describe(key, clock()),
        {
          ledger,
          clock,
          policy,
        },
      );
      return toResult(outcome);
    },
    close: async () => {
      await ledger.close();
      await backend.close();
    },
  };
}

/** What stands in the ledger in place of a recipe and a destination: no recipe is named so. */
const NAME = '(once)';

/** The workspace keeps these keys apart from those of recipes. */
function nameEffect(key: string): string {
  return deriveEffectKey({
    workspace: NAME,
    recipe: NAME,
    eventKind: NAME,
    meetingId: '',
    occurrence: '',
    target: key,
    part: 0,
  });
}

function describe(key: string, nowMs: number) {
  const facts = {
    recipe: NAME,
    destination: NAME,
    eventKind: NAME,
    meetingId: '',
    occurrence: new Date(nowMs).toISOString(),
    targetHash: hashTarget(key),
    part: 0,
    traceId: '',
    receivedAtMs: nowMs,
  };
  return { facts, isTraceComplete: true, earliestMs: nowMs };
}

function prepare(key: string, { send, find }: OnceEffect, timeoutMs: number): PreparedSend {
  return {
    timeoutMs,
    async send(): Promise<SendResult> {
      try {
        return { result: 'sent', reference: await withinTime((signal) => send({ key, signal }), timeoutMs) };
      } catch (error) {
        if (error instanceof NotSent) return { result: 'not_sent_retry', cause: error.message };
        return { result: 'unknown', cause: `send ended with ${nameError(error)}` };
      }
    },
    async probe(sinceMs): Promise<ProbeResult> {
      if (find === undefined) return { result: 'untraceable' };
      try {
        const reference = await withinTime((signal) => find({ key, signal, sinceMs }), timeoutMs);
        return reference === undefined ? { result: 'absent' } : { result: 'found', reference };
      } catch (error) {
        return { result: 'not_asked', cause: `find ended with ${nameError(error)}` };
      }
    },
  };
}

/** Without jobs to wait in a queue, all that is not over is the caller's to run again. */
const RETRY_MS = 1000;

function toResult(outcome: Outcome): OnceResult {
  const { kind } = outcome;
  if (kind === 'sent') return { state: 'sent', reference: outcome.reference, sentNow: outcome.sentNow };
  const { cause } = outcome;
  if (kind === 'retry') {
    const isOpen = cause.startsWith('find ended');
    return isOpen ? { state: 'wait', forMs: RETRY_MS, cause } : { state: 'not_sent', cause };
  }
  if (kind === 'wait' || kind === 'limited') return { state: 'wait', forMs: outcome.forMs, cause };
  return { state: 'held', cause };
}
