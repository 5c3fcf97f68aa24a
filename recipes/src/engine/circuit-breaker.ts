import type { Connectors } from './destination.ts';
import type { DeliveryPolicy } from './limits/policy.ts';
import type {
  Contact,
  Preparation,
  ProbeResult,
  SendResult,
  PreparedSend,
  UpdateResult,
} from './prepared-send.ts';

/** Told of one call to a destination. */
interface CallWatch {
  /** The destination has answered, whatever it said. */
  answered(): void;
  /** It could not be reached, or did not answer. */
  stayedSilent(): void;
  /** It refused our token or login. */
  refused(cause: string): Promise<void>;
}

type Result = SendResult | UpdateResult | ProbeResult | Preparation;

/** Reports of every call to a destination whether it answered. What ends without a call is not reported. */
export function withCircuitBreaker(connectors: Connectors, beginCall: () => CallWatch): Connectors {
  const watch = async <Answer extends Result>(call: () => Promise<Answer>): Promise<Answer> => {
    const watcher = beginCall();
    const answer = await call();
    const contact = readContact(answer);
    if (answer.result === 'paused') await watcher.refused(answer.cause);
    else if (contact === 'answered') watcher.answered();
    else if (contact === 'silent') watcher.stayedSilent();
    return answer;
  };
  const watchSend = (prepared: PreparedSend): PreparedSend => {
    return {
      ...prepared,
      send: () => watch(() => prepared.send()),
      probe: (sinceMs) => watch(() => prepared.probe(sinceMs)),
      ...(prepared.update && { update: (reference) => watch(() => update(prepared, reference)) }),
      ...(prepared.finish && { finish: (reference) => watch(() => finish(prepared, reference)) }),
    };
  };
  return {
    ...connectors,
    async prepare(rendered, label) {
      const preparation = await watch(() => connectors.prepare(rendered, label));
      if (preparation.result !== 'ready') return preparation;
      return { ...preparation, prepared: watchSend(preparation.prepared) };
    },
  };
}

const unchangeable: UpdateResult = {
  result: 'permanent',
  cause: 'what this destination was given can not be changed',
  contact: 'none',
};

async function update(prepared: PreparedSend, reference: string): Promise<UpdateResult> {
  return (await prepared.update?.(reference)) ?? unchangeable;
}

async function finish(prepared: PreparedSend, reference: string): Promise<UpdateResult> {
  return (await prepared.finish?.(reference)) ?? unchangeable;
}

/** The contact that a result implies. */
const implied: Readonly<Record<Result['result'], Contact>> = {
  // Mostly nothing had to be asked; where something had, the call that follows tells the same.
  ready: 'none',
  no_recipient: 'answered',
  sent: 'answered',
  rate_limited: 'answered',
  not_sent_retry: 'silent',
  permanent: 'answered',
  paused: 'answered',
  unknown: 'silent',
  gone: 'answered',
  found: 'answered',
  absent: 'answered',
  begun: 'answered',
  untraceable: 'none',
  unsure: 'answered',
  not_asked: 'silent',
  impossible: 'answered',
};

function readContact(result: Result): Contact {
  return ('contact' in result ? result.contact : undefined) ?? implied[result.result];
}

/** What a destination may be asked now. */
type CircuitState =
  | { readonly kind: 'closed' }
  /** Nothing, for so many milliseconds. */
  | { readonly kind: 'open'; readonly forMs: number }
  /** One call, to see whether it works again. */
  | { readonly kind: 'half_open' };

/** When a call began: what comes of it counts only while the circuit is as it was then. Undefined: not at all. */
type CallMark = number | undefined;

/** Keeps a destination that is down from being asked on and on. For one worker process. Times are milliseconds. */
export interface Circuit {
  readState(nowMs: number): CircuitState;
  begin(nowMs: number): CallMark;
  /** The destination has answered, whatever it said. */
  succeeded(mark: CallMark): void;
  /** It could not be reached, or did not answer. */
  failed(mark: CallMark, nowMs: number): void;
  /** Opens it for so many milliseconds: until then no call can succeed. */
  pause(forMs: number, nowMs: number): void;
}

/**
 * Closed until so many failures follow each other without an answer in between; then open, each time twice as long up
 * to the longest, the last half of it at random so that workers do not come back together; then half open until a
 * call that began then has ended. Calls that were under way when it opened say nothing about what came after, nor do
 * those that begin while it is open: their jobs had been taken before, and would report the same once more.
 */
export function createCircuit(policy: DeliveryPolicy['circuit'], random: () => number): Circuit {
  let failures = 0;
  let openedTimes = 0;
  /** Undefined: closed. */
  let openUntilMs: number | undefined;
  /** Rises whenever calls under way stop to count. */
  let era = 0;

  const open = (nowMs: number): void => {
    const longMs = Math.min(policy.firstOpenMs * 2 ** Math.min(openedTimes, 30), policy.maxOpenMs);
    openUntilMs = nowMs + Math.round(longMs * (0.5 + random() / 2));
    openedTimes += 1;
    failures = 0;
  };
  const readState = (nowMs: number): CircuitState => {
    if (openUntilMs === undefined) return { kind: 'closed' };
    return openUntilMs > nowMs ? { kind: 'open', forMs: openUntilMs - nowMs } : { kind: 'half_open' };
  };
  return {
    readState,
    begin: (nowMs) => (readState(nowMs).kind === 'open' ? undefined : era),
    succeeded(mark) {
      if (mark !== era) return;
      if (openUntilMs !== undefined) era += 1;
      failures = 0;
      openedTimes = 0;
      openUntilMs = undefined;
    },
    failed(mark, nowMs) {
      if (mark !== era) return;
      failures += 1;
      if (openUntilMs === undefined && failures < policy.failures) return;
      era += 1;
      open(nowMs);
    },
    pause(forMs, nowMs) {
      // The calls that were under way would report the same once more.
      if (readState(nowMs).kind === 'open') return;
      era += 1;
      failures = 0;
      openUntilMs = nowMs + forMs;
    },
  };
}

/** How many jobs a destination's worker takes at once. */
export function limitConcurrency(state: CircuitState, places: number): number {
  if (state.kind === 'closed') return places;
  return state.kind === 'open' ? 0 : 1;
}
