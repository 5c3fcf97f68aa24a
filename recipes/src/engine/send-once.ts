import { withSpan } from '@aftermeet/queue';
import { SpanStatusCode } from '@opentelemetry/api';

import type { Claim, Ledger, Settlement } from './ledger/ledger.ts';
import type { DeliveryPolicy } from './limits/policy.ts';
import { clampWait } from './limits/retry-later.ts';
import { type Outcome, type SendRequest, toNotSentOutcome, toOutcome, waitForRepair } from './outcome.ts';
import type { NotSent, ProbeResult, PreparedSend } from './prepared-send.ts';

/** If the call of the destination begins later than this after the claim, the lease is renewed first. */
const MAX_CLAIM_AGE_MS = 2500;

/** The longest wait for another worker, which may be done long before its lease ends. */
const MAX_BUSY_WAIT_MS = 5000;

export interface SendTools {
  readonly ledger: Pick<Ledger, 'claim' | 'renew' | 'settle'>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Resolves when the clock can be relied on: after the machine slept, or its clock was set, not at once. */
  readonly settleClock?: () => Promise<void>;
  readonly policy: DeliveryPolicy;
  /** How many attempts in a row reached the destination without a confirmation. Default 0. */
  readonly unconfirmedTimes?: number;
  /** Called with the result of every probe. */
  readonly onProbe?: (result: ProbeResult['result']) => void;
}

/**
 * Sends a prepared send unless it was sent before. It records the intent, probes the destination if the outcome of an
 * earlier attempt is unknown, calls the destination and records the outcome. `probes` is the number of probes that this
 * start of the job has made.
 */
export async function sendOnce(
  effectKey: string,
  prepared: PreparedSend,
  request: SendRequest,
  tools: SendTools,
  probes = 0,
): Promise<Outcome> {
  const { ledger, clock, policy } = tools;
  await tools.settleClock?.();
  const claimedAtMs = clock();
  // No worker probes before the lease ends. By then the call is over and a probe finds what the destination accepted.
  const leaseMs = prepared.timeoutMs + policy.graceMs;
  const claim = await ledger.claim(effectKey, { ...request, nowMs: claimedAtMs, leaseMs });
  switch (claim.state) {
    case 'sent':
    case 'skipped':
    case 'failed':
    case 'parked':
    case 'held':
      return toOutcome(claim);
    case 'busy':
      return waitWhileBusy(claim.untilMs - clock());
    case 'claimed':
    case 'probe':
  }
  const attempt: Attempt = {
    claim,
    leaseMs,
    probes: claim.state === 'probe' ? claim.probes : probes,
    recordOutcome: (settlement, isOwnContent = true) =>
      ledger.settle(effectKey, claim.fence, settlement, {
        nowMs: clock(),
        facts: request.facts,
        ...(request.dedupe === undefined || !isOwnContent ? {} : { dedupe: request.dedupe }),
      }),
  };

  // A destination that cannot change what it has gets a new message. Unlike a change, that must not be repeated.
  const previous = prepared.sendsChangesAsNew === true ? undefined : claim.previous;
  let isTraceable = true;
  if (claim.state === 'probe' && previous === undefined) {
    const probe = await traceCall('probe', () => prepared.probe(claim.firstIntentAtMs));
    tools.onProbe?.(probe.result);
    const outcome = await concludeProbe(probe, prepared, attempt, policy);
    if (outcome !== undefined) return outcome;
    isTraceable = probe.result !== 'untraceable';
    if (isTraceable && request.dedupe !== undefined) {
      // It did not arrive. Another effect with the same dedupe key may have been sent since; a new claim checks that.
      if (!(await attempt.recordOutcome({ state: 'pending' }))) return waitWhileBusy(leaseMs);
      const again = { ...request, isTraceComplete: true };
      return await sendOnce(effectKey, prepared, again, tools, attempt.probes);
    }
  }
  await tools.settleClock?.();
  if (clock() - claimedAtMs > MAX_CLAIM_AGE_MS) {
    const outcome = await renewLease(effectKey, attempt, tools);
    if (outcome !== undefined) return outcome;
  }
  if (previous !== undefined) return await changeSent(previous, prepared, attempt);
  return await send(prepared, attempt, tools, isTraceable);
}

async function send(
  prepared: PreparedSend,
  attempt: Attempt,
  { policy, unconfirmedTimes = 0 }: SendTools,
  isTraceable: boolean,
): Promise<Outcome> {
  const sent = await traceCall('send', () => prepared.send());
  if (sent.result === 'sent') return await endSent(sent.reference, true, attempt);
  if (sent.result !== 'unknown') return await endNotSent(sent, attempt);
  const { cause } = sent;
  const canProbeOrResend = isTraceable
    ? attempt.probes < policy.maxProbes
    : unconfirmedTimes < MAX_UNCONFIRMED_RESENDS && attempt.probes < MAX_CUT_OFF_RESENDS;
  if (canProbeOrResend) return await probeLater(cause, attempt, policy, true);
  const advice = isTraceable
    ? `after ${policy.maxProbes} tries it is still not known whether it was sent`
    : 'it may have arrived, so it is not sent again';
  return await endParked(`${cause}; ${advice}`, attempt);
}

const FAILED_CALLS: ReadonlySet<string> = new Set(['permanent', 'unknown', 'not_sent_retry', 'paused']);

/** A call to the vendor; it never throws, and its result is a code. */
async function traceCall<Answer extends { readonly result: string }>(
  name: 'probe' | 'send',
  call: () => Promise<Answer>,
): Promise<Answer> {
  return await withSpan(name, {}, async (span) => {
    const answer = await call();
    span.setAttribute('aftermeet.result', answer.result);
    if (FAILED_CALLS.has(answer.result)) span.setStatus({ code: SpanStatusCode.ERROR });
    return answer;
  });
}

/** Renews the lease after a slow store or a slow probe, so that the call of the destination ends within it. */
async function renewLease(
  effectKey: string,
  attempt: Attempt,
  { ledger, clock, settleClock }: SendTools,
): Promise<Outcome | undefined> {
  const { claim, leaseMs } = attempt;
  const startMs = clock();
  const isLeaseHeld = await ledger.renew(effectKey, claim.fence, startMs + leaseMs);
  await settleClock?.();
  if (isLeaseHeld && clock() - startMs <= MAX_CLAIM_AGE_MS) return undefined;
  // Nothing was sent by this attempt, so it does not count as one.
  const cause = 'nothing was sent: the store of the ledger is slow';
  const outcome = { kind: 'wait', why: 'unclear', forMs: MAX_BUSY_WAIT_MS, cause } as const;
  if (claim.state === 'claimed') return await endWith({ state: 'pending' }, outcome, attempt);
  return await endWith({ state: 'unknown', cause, isProbeUsed: false }, outcome, attempt);
}

function waitWhileBusy(leftMs: number): Outcome {
  const forMs = Math.min(Math.max(leftMs, 100), MAX_BUSY_WAIT_MS);
  return { kind: 'wait', why: 'unclear', forMs, cause: 'an earlier attempt may still be under way' };
}

/** An attempt that holds the lease of its effect. */
interface Attempt {
  readonly claim: Extract<Claim, { state: 'claimed' | 'probe' }>;
  readonly leaseMs: number;
  /** How many probes of the effect there were, including the one of this attempt. */
  readonly probes: number;
  /**
   * Records the outcome in the ledger; false if another worker has taken over. `isOwnContent` (default true): the content
   * that was sent is that of this attempt.
   */
  readonly recordOutcome: (settlement: Settlement, isOwnContent?: boolean) => Promise<boolean>;
}

/** Records and returns the outcome of an attempt. If another worker has taken over, that worker finds the outcome. */
async function endWith(
  settlement: Settlement,
  outcome: Outcome,
  { leaseMs, recordOutcome }: Pick<Attempt, 'leaseMs' | 'recordOutcome'>,
  isOwnContent = true,
): Promise<Outcome> {
  if (await recordOutcome(settlement, isOwnContent)) return outcome;
  return { kind: 'wait', why: 'unclear', forMs: leaseMs, cause: 'another worker has taken over' };
}

function endSent(reference: string, sentNow: boolean, attempt: Attempt): Promise<Outcome> {
  // An earlier attempt may have sent different content.
  return endWith({ state: 'sent', reference }, { kind: 'sent', reference, sentNow }, attempt, sentNow);
}

/** It is not known whether it was sent: a person has to find out. */
function endParked(cause: string, attempt: Attempt): Promise<Outcome> {
  return endWith({ state: 'parked', cause }, { kind: 'failed', cause }, attempt);
}

/** Records that this attempt did not send it. */
function endNotSent(unsent: NotSent, attempt: Attempt): Promise<Outcome> {
  const { result, cause } = unsent;
  const settlement =
    result === 'permanent' ? ({ state: 'failed', cause } as const) : ({ state: 'pending' } as const);
  return endWith(settlement, toNotSentOutcome(unsent), attempt);
}

/**
 * How often an effect is sent again at a destination that cannot be probed, where each repetition may be a duplicate. An
 * attempt that reached the destination without a confirmation is repeated once, because a third one would hardly be
 * confirmed either. An attempt that our side cut off has most likely sent nothing and is repeated more often.
 */
const MAX_UNCONFIRMED_RESENDS = 1;

const MAX_CUT_OFF_RESENDS = 5;

const MAX_PROBE_DELAY_MS = 5 * 60 * 1000;

/** The outcome that follows from the probe; undefined if the prepared send is to be sent now. */
async function concludeProbe(
  probe: ProbeResult,
  prepared: PreparedSend,
  attempt: Attempt,
  policy: DeliveryPolicy,
): Promise<Outcome | undefined> {
  switch (probe.result) {
    case 'absent':
      return undefined;
    case 'untraceable': {
      const mayRepeat = policy.whenUntraceable === 'resend' && attempt.probes <= MAX_CUT_OFF_RESENDS;
      if (mayRepeat) return undefined;
      return await endParked('an attempt was cut off; it may have arrived, so it is not sent again', attempt);
    }
    case 'begun':
      return await finishBegun(probe.reference, prepared, attempt, policy);
    case 'found':
      return await endSent(probe.reference, false, attempt);
    case 'rate_limited': {
      const { cause } = probe;
      // A rate limit on probing is not a rate limit on sending.
      const forMs = clampWait(probe.retryAfterMs);
      const outcome = { kind: 'wait', why: 'limited', forMs, cause } as const;
      return await endWith({ state: 'unknown', cause, isProbeUsed: false }, outcome, attempt);
    }
    case 'paused':
      return await endWith(
        { state: 'unknown', cause: probe.cause, isProbeUsed: false },
        waitForRepair(probe.cause),
        attempt,
      );
    case 'not_asked': {
      const { cause } = probe;
      const outcome = { kind: 'retry', why: 'destination', cause } as const;
      return await endWith({ state: 'unknown', cause, isProbeUsed: false }, outcome, attempt);
    }
    case 'unsure':
    case 'impossible':
    default: {
      const { cause } = probe;
      const isLastProbe = probe.result === 'impossible' || attempt.probes >= policy.maxProbes;
      if (isLastProbe) return await endParked(cause, attempt);
      return await probeLater(cause, attempt, policy);
    }
  }
}

/**
 * Completes an effect that an earlier attempt wrote only in part. Until it is complete its state is unknown, so the next
 * start probes, finds it and does not create a second one.
 */
async function finishBegun(
  reference: string,
  prepared: PreparedSend,
  attempt: Attempt,
  policy: DeliveryPolicy,
): Promise<Outcome> {
  const cause = 'a partly written effect cannot be completed';
  const finish = prepared.finish ?? prepared.update;
  const finished = finish && (await traceCall('send', () => finish(reference)));
  if (finished === undefined) return await endParked(cause, attempt);
  switch (finished.result) {
    case 'sent':
      return await endSent(finished.reference, true, attempt);
    case 'gone':
      return await endParked(finished.cause, attempt);
    case 'permanent':
      return await endParked(`${finished.cause}; ${cause}`, attempt);
    case 'rate_limited':
    case 'paused':
    case 'not_sent_retry': {
      const settlement = { state: 'unknown', cause: finished.cause, isProbeUsed: false } as const;
      return await endWith(settlement, toNotSentOutcome(finished), attempt);
    }
    case 'unknown':
    default:
      if (attempt.probes >= policy.maxProbes) return await endParked(finished.cause, attempt);
      return await probeLater(finished.cause, attempt, policy);
  }
}

/** Schedules another probe, not before the lease ends, and after a longer delay each time. */
function probeLater(
  cause: string,
  { leaseMs, probes, recordOutcome }: Attempt,
  { firstWaitMs }: DeliveryPolicy,
  isUnconfirmed = false,
): Promise<Outcome> {
  const forMs = Math.max(leaseMs, Math.min(firstWaitMs * 2 ** probes, MAX_PROBE_DELAY_MS));
  const outcome = { kind: 'wait', why: 'unclear', forMs, cause, isUnconfirmed } as const;
  return endWith({ state: 'unknown', cause }, outcome, { leaseMs, recordOutcome });
}

export const ALREADY_SENT = 'already sent, and this destination cannot change it';

/**
 * Changes what an earlier effect with the same dedupe key sent, instead of sending it again. A change can be repeated, so
 * an unknown outcome needs no probe. It is repeated only after the lease has ended, because a change that is still under
 * way would overwrite it. A destination that cannot change what it has (a mail) keeps it.
 */
async function changeSent(previous: string, prepared: PreparedSend, attempt: Attempt): Promise<Outcome> {
  const { update } = prepared;
  if (update === undefined) {
    const cause = ALREADY_SENT;
    return await endWith({ state: 'skipped', cause }, { kind: 'skipped', cause }, attempt);
  }
  const updated = await traceCall('send', () => update(previous));
  if (updated.result === 'sent') return await endSent(updated.reference, true, attempt);
  if (updated.result === 'gone') {
    const { cause } = updated;
    return await endWith({ state: 'skipped', cause }, { kind: 'skipped', cause }, attempt);
  }
  if (updated.result === 'unknown') {
    const { cause } = updated;
    const outcome = { kind: 'retry', why: 'destination', cause, forMs: attempt.leaseMs } as const;
    return await endWith({ state: 'pending' }, outcome, attempt);
  }
  return await endNotSent(updated, attempt);
}
