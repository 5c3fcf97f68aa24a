import type { Log } from '@aftermeet/queue';

import type { DeliveryMeter } from './delivery-meter.ts';
import type { Outcome } from './outcome.ts';
import { createRareLine } from './rare-line.ts';

/** `startedMs` is of `performance.now()`: nobody sets that clock, and it knows parts of a millisecond. */
type ReportOutcome = (outcome: Outcome, endpoint: string | undefined, startedMs: number) => void;

/**
 * Counts and logs what became of a delivery: one line each, and one more for a conflict. Ids only, never content.
 * Whoever sends too much gets few lines.
 */
export function createReport(log: Log, meter: DeliveryMeter | undefined, nowMs: () => number): ReportOutcome {
  let tooMany: { readonly endpoint: string | undefined; readonly cause: string } | undefined;
  const tellTooMany = createRareLine(
    (times) => log.warn({ ...tooMany, refused: 'too_many', times }, 'deliveries refused: too many'),
    nowMs,
  );
  return (outcome, endpoint, startedMs) => {
    const elapsedMs = performance.now() - startedMs;
    // To the hundredth: more digits would only make the log longer.
    const ms = Math.round(elapsedMs * 100) / 100;
    meter?.countAnswer(outcome.kind, elapsedMs / 1000);
    if (!('id' in outcome)) {
      if (outcome.kind === 'too_many') {
        tooMany = { endpoint, cause: outcome.cause };
        tellTooMany();
        return;
      }
      log.warn({ endpoint, ms, refused: outcome.kind, cause: outcome.cause }, 'delivery refused');
      return;
    }
    const { kind, id, isConflict, deliveryId, secretIndex } = outcome;
    // What most lines have says nothing: the first secret. Another one tells how far a rotation is.
    const signed =
      secretIndex === 0 ? undefined : secretIndex === undefined ? { unsigned: true } : { secretIndex };
    log.info({ endpoint, ms, id, ...signed }, `delivery ${kind}`);
    if (isConflict) {
      meter?.countConflict();
      log.warn({ endpoint, id, deliveryId }, 'this delivery id came with another body before');
    }
  };
}
