import type { FaultPlan } from '../faults/fault-plan.ts';
import type { CallFault } from '../faults/fault.ts';
import type { ListenOptions } from '../web/start-listening.ts';

/** A local server that plays a vendor: it keeps what it received and shows it at its own address. */
export interface StandIn<Item> {
  /** Starts it; `url` has no slash at its end. */
  readonly listen: (options?: ListenOptions) => Promise<{ readonly url: string }>;
  /** What arrived, oldest first (the newest 500). */
  readonly received: () => readonly Item[];
  /** What goes wrong, as `POST /_sandbox/faults`. */
  readonly faults: FaultPlan<CallFault>;
  /** Everything as at the start: forgets what arrived and what was planned, and turns the knobs back. */
  readonly reset: () => void;
  /** Calls the listener for each later arrival; returns the function that ends it. */
  readonly onReceived: (listener: (item: Item) => void) => () => void;
  /** Stops it and cuts what is open. */
  readonly close: () => Promise<void>;
}
