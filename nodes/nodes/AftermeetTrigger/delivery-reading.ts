import type { TriggerEvent } from './trigger-event.ts';

/** The body of a delivery that is genuine. */
export type DeliveryReading =
  | {
      readonly ok: true;
      readonly event: TriggerEvent;
      /** What makes it the same as an earlier one. */
      readonly identity: readonly string[];
    }
  /** `fault` is a name for the log, never content. */
  | { readonly ok: false; readonly fault: string };
