import type { Claim, ClaimRequest, EffectState, Settlement, DedupeKey } from '../engine/ledger/ledger.ts';

const patienceMs = 10 * 60 * 1000;
const lookMs = 15 * 1000;
const sameWasSent = 'the same was sent already for another delivery of the meeting';
const newerWasSent = 'a newer report of the meeting was sent already';
const placeNotKnown = 'it was sent already, and it is not known where what was sent could be changed';

interface ModelEffect {
  state: EffectState;
  fence: number;
  attempts: number;
  probes: number;
  leaseUntilMs: number;
  firstIntentAtMs: number;
  changedAtMs: number;
  reference: string;
  cause: string;
  previous: string;
  dedupe: DedupeKey | undefined;
  occurrence: string;
}

interface Sent {
  readonly effect: ModelEffect;
  readonly reference: string;
  readonly dedupe: DedupeKey;
  readonly occurrence: string;
}

/** The rules of the ledger, said as plainly as they can be: one process, nothing is lost, no time limit on memory. */
export class LedgerModel {
  readonly #canForget: boolean;
  readonly effects = new Map<string, ModelEffect>();
  /** What each dedupe key was sent last. */
  readonly #lastSent = new Map<string, Sent>();

  /** A store that can forget takes a start of the job without a trace for a lost one. */
  constructor(canForget: boolean) {
    this.#canForget = canForget;
  }

  claim(key: string, request: ClaimRequest): Claim {
    const { nowMs, leaseMs, dedupe, facts } = request;
    const known = this.effects.get(key);
    if (known?.state === 'sent') return { state: 'sent', reference: known.reference };
    if (known?.state === 'skipped' || known?.state === 'failed' || known?.state === 'parked') {
      return { state: known.state, cause: known.cause };
    }
    const isOpen = known !== undefined && this.#isOpen(known);
    if (isOpen && known.leaseUntilMs > nowMs) return { state: 'busy', untilMs: known.leaseUntilMs };

    const effect = known ?? newEffect(nowMs);
    const isLost = this.#canForget && !isOpen && !request.isTraceComplete;
    if (!isOpen) {
      const others = dedupe === undefined ? [] : this.#listOpen(key, dedupe.key);
      const waits = others
        .filter((other) => other.leaseUntilMs + patienceMs > nowMs)
        .map(({ leaseUntilMs }) =>
          leaseUntilMs > nowMs ? leaseUntilMs : Math.min(leaseUntilMs + patienceMs, nowMs + lookMs),
        );
      if (waits.length > 0) return { state: 'busy', untilMs: Math.max(...waits) };
      const verdict = this.#compare(dedupe, facts.occurrence);
      if (verdict.skip !== undefined) {
        this.effects.set(key, effect);
        Object.assign(effect, { dedupe, state: 'skipped', cause: verdict.skip, changedAtMs: nowMs });
        return { state: 'skipped', cause: verdict.skip };
      }
      // A claim without a dedupe key keeps the dedupe key of the effect.
      effect.dedupe = dedupe ?? effect.dedupe;
      Object.assign(effect, { occurrence: facts.occurrence, previous: verdict.previous ?? '' });
      if (verdict.previous !== undefined) this.#forgetContent(dedupe);
    }

    this.effects.set(key, effect);
    if (isLost) {
      effect.firstIntentAtMs = Math.min(effect.firstIntentAtMs, request.earliestMs);
      effect.fence = Math.max(effect.fence, Math.floor(nowMs / 1000) - 1);
    }
    effect.fence += 1;
    effect.attempts += 1;
    effect.state = 'sending';
    effect.cause = '';
    effect.leaseUntilMs = nowMs + leaseMs;
    effect.changedAtMs = nowMs;
    const { fence, firstIntentAtMs } = effect;
    const more = effect.previous === '' ? {} : { previous: effect.previous };
    if (!isOpen && !isLost) return { state: 'claimed', fence, ...more };
    effect.probes += 1;
    return { state: 'probe', fence, firstIntentAtMs, probes: effect.probes, ...more };
  }

  settle(key: string, fence: number, settlement: Settlement, request: ClaimRequest): boolean {
    const effect = this.effects.get(key);
    const reference = settlement.state === 'sent' ? settlement.reference : '';
    const cause = 'cause' in settlement ? settlement.cause : '';
    if (effect === undefined || effect.fence !== fence) return false;
    if (effect.state !== 'sending') {
      return effect.state === settlement.state && effect.reference === reference && effect.cause === cause;
    }
    Object.assign(effect, { state: settlement.state, reference, cause, changedAtMs: request.nowMs });
    effect.dedupe = request.dedupe ?? effect.dedupe;
    if (settlement.state === 'unknown' && settlement.isProbeUsed === false) {
      effect.probes = Math.max(effect.probes - 1, 0);
      effect.leaseUntilMs = request.nowMs;
    }
    if (settlement.state === 'sent') this.#remember(effect);
    return true;
  }

  renew(key: string, fence: number, untilMs: number): boolean {
    const effect = this.effects.get(key);
    if (effect?.state !== 'sending' || effect.fence !== fence) return false;
    effect.leaseUntilMs = untilMs;
    return true;
  }

  reopen(key: string, nowMs: number): EffectState | undefined {
    const effect = this.effects.get(key);
    const state = seenAt(effect, nowMs);
    const isStranded = state !== effect?.state;
    if (
      effect === undefined ||
      (state !== 'failed' && state !== 'skipped' && state !== 'parked' && !isStranded)
    )
      return state;
    const to = state === 'parked' || isStranded ? 'unknown' : 'pending';
    Object.assign(effect, { state: to, cause: '', probes: 0, leaseUntilMs: nowMs, changedAtMs: nowMs });
    return state;
  }

  decide(key: string, verdict: 'sent' | 'not_sent', nowMs: number): EffectState | undefined {
    const effect = this.effects.get(key);
    const state = seenAt(effect, nowMs);
    if (effect === undefined || (state !== 'unknown' && state !== 'parked' && state !== 'failed'))
      return state;
    Object.assign(effect, { cause: '', changedAtMs: nowMs });
    if (verdict === 'sent') {
      Object.assign(effect, { state: 'sent', reference: effect.previous });
      this.#remember(effect);
    } else {
      Object.assign(effect, { state: 'pending', probes: 0 });
    }
    return state;
  }

  markRecalled(key: string, nowMs: number): EffectState | undefined {
    const effect = this.effects.get(key);
    if (effect?.state === 'sent') Object.assign(effect, { cause: 'taken back by hand', changedAtMs: nowMs });
    return effect?.state;
  }

  resend(key: string, nowMs: number): EffectState | undefined {
    const effect = this.effects.get(key);
    if (effect?.state !== 'sent') return effect?.state;
    const dedupeKey = effect.dedupe?.key ?? '';
    if (this.#lastSent.get(dedupeKey)?.effect === effect) this.#lastSent.delete(dedupeKey);
    const gone = { cause: '', reference: '', previous: '', probes: 0 };
    Object.assign(effect, { state: 'unknown', changedAtMs: nowMs, leaseUntilMs: nowMs, ...gone });
    return 'sent';
  }

  #isOpen({ state }: ModelEffect): boolean {
    return state === 'sending' || state === 'unknown';
  }

  #listOpen(key: string, dedupeKey: string): ModelEffect[] {
    return [...this.effects]
      .filter(([other, effect]) => other !== key && effect.dedupe?.key === dedupeKey && this.#isOpen(effect))
      .map(([, effect]) => effect);
  }

  #remember(effect: ModelEffect): void {
    const { reference, dedupe, occurrence } = effect;
    if (dedupe !== undefined) this.#lastSent.set(dedupe.key, { effect, reference, dedupe, occurrence });
  }

  /** A change that has begun may stop half way. */
  #forgetContent(dedupe: DedupeKey | undefined): void {
    const sent = dedupe && this.#lastSent.get(dedupe.key);
    if (sent === undefined) return;
    this.#lastSent.set(sent.dedupe.key, { ...sent, dedupe: { ...sent.dedupe, contentHash: '' } });
  }

  #compare(
    asked: DedupeKey | undefined,
    occurrence: string,
  ): { readonly skip?: string; readonly previous?: string } {
    const sent = asked === undefined ? undefined : this.#lastSent.get(asked.key);
    if (asked === undefined || sent === undefined) return {};
    const isUnsure = asked.meetingStart === '' || sent.dedupe.meetingStart === '';
    const isSameStart = !isUnsure && asked.meetingStart === sent.dedupe.meetingStart;
    const isSameContent = asked.contentHash === sent.dedupe.contentHash;
    if (isSameContent && (isSameStart || isUnsure)) return { skip: sameWasSent };
    if (!isSameStart) return {};
    if (Date.parse(occurrence) < Date.parse(sent.occurrence)) return { skip: newerWasSent };
    return sent.reference === '' ? { skip: placeNotKnown } : { previous: sent.reference };
  }
}

/** What is sending counts as unknown once its lease is over. */
function seenAt(effect: ModelEffect | undefined, nowMs: number): EffectState | undefined {
  if (effect?.state !== 'sending') return effect?.state;
  return effect.leaseUntilMs <= nowMs ? 'unknown' : 'sending';
}

function newEffect(nowMs: number): ModelEffect {
  return {
    state: 'pending',
    fence: 0,
    attempts: 0,
    probes: 0,
    leaseUntilMs: 0,
    firstIntentAtMs: nowMs,
    changedAtMs: nowMs,
    reference: '',
    cause: '',
    previous: '',
    dedupe: undefined,
    occurrence: '',
  };
}
