import type { Preparation, SendResult, Shipment, UpdateResult } from '../shipment.ts';

/** A clock that only waits move. */
export interface TestTime {
  readonly clock: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** How long was waited, each time. */
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

export function takeShipment(preparation: Preparation): Shipment {
  if (preparation.result !== 'ready') throw new Error(preparation.cause);
  return preparation.shipment;
}

/**
 * What the engine does with a shipment: what is unknown is looked for, what is begun is finished. At most ten looks.
 * `sent`: what came of sending it, where that is behind it.
 */
export async function bringToEnd(shipment: Shipment, sent?: SendResult): Promise<UpdateResult | undefined> {
  let last: UpdateResult | undefined = sent ?? (await shipment.send());
  for (let looks = 0; looks < 10 && last?.result !== 'sent' && last?.result !== 'permanent'; looks += 1) {
    const probe = await shipment.probe(0);
    if (probe.result === 'found') return { result: 'sent', reference: probe.reference };
    if (probe.result === 'begun')
      last = await (shipment.finish?.(probe.reference) ?? shipment.update?.(probe.reference));
    if (probe.result === 'absent') last = await shipment.send();
  }
  return last;
}
