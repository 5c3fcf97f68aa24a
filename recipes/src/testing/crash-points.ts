import type { Ledger } from '../engine/ledger/ledger.ts';
import type { PreparedSend } from '../engine/prepared-send.ts';

/** Where a worker can die over an effect, in the order in which it gets there. */
export type CrashPoint =
  | 'before the intent'
  | 'after the intent'
  | 'after the send'
  | 'before the outcome is recorded'
  | 'after the outcome is recorded';

/** What a worker does last at a crash point. */
export class Crashed extends Error {
  override readonly name = 'Crashed';
}

/** The ledger and the send of a worker that dies at a point: what comes before it has happened, and nothing after it. */
export function crashAt(
  point: CrashPoint,
  { ledger, prepared }: { readonly ledger: Ledger; readonly prepared: PreparedSend },
): { readonly ledger: Ledger; readonly prepared: PreparedSend } {
  const crash = (): never => {
    throw new Crashed(point);
  };
  return {
    ledger: {
      ...ledger,
      claim: async (...parameters) => {
        if (point === 'before the intent') crash();
        const claim = await ledger.claim(...parameters);
        return point === 'after the intent' ? crash() : claim;
      },
      settle: async (...parameters) => {
        if (point === 'before the outcome is recorded') crash();
        await ledger.settle(...parameters);
        return crash();
      },
    },
    prepared: {
      ...prepared,
      send: async () => {
        const sent = await prepared.send();
        return point === 'after the send' ? crash() : sent;
      },
    },
  };
}
