import type { Preparation, SendResult, PreparedSend, UpdateResult } from '../engine/prepared-send.ts';

/** A clock that only waits and `pass` advance. */
export interface TestTime {
  readonly clock: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** Milliseconds of each wait. */
  readonly waits: readonly number[];
  readonly pass: (ms: number) => void;
}

export function startTestTime(): TestTime {
  let nowMs = Date.parse('2026-07-07T12:00:00Z');
  const waits: number[] = [];
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return {
    clock: () => nowMs,
    waits,
    pass,
    wait: async (ms) => {
      waits.push(ms);
      pass(ms);
    },
  };
}

export function takePrepared(preparation: Preparation): PreparedSend {
  if (preparation.result !== 'ready') throw new Error(preparation.cause);
  return preparation.prepared;
}

/**
 * Sends as the engine does: probes after an unknown outcome and finishes what was begun, with at most ten probes. `sent`: the
 * outcome of a send that was made before.
 */
export async function bringToEnd(
  prepared: PreparedSend,
  sent?: SendResult,
): Promise<UpdateResult | undefined> {
  let last: UpdateResult | undefined = sent ?? (await prepared.send());
  for (let probes = 0; probes < 10 && last?.result !== 'sent' && last?.result !== 'permanent'; probes += 1) {
    const probe = await prepared.probe(0);
    if (probe.result === 'found') return { result: 'sent', reference: probe.reference };
    if (probe.result === 'begun')
      last = await (prepared.finish?.(probe.reference) ?? prepared.update?.(probe.reference));
    if (probe.result === 'absent') last = await prepared.send();
  }
  return last;
}
