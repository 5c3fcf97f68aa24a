import type { DestinationName } from './destinations.ts';
import type { WaitReason } from './ending.ts';
import type { ProbeResult } from './shipment.ts';

/** Which effect a step is about. */
export interface StepLabel {
  readonly recipe: string;
  readonly destination: DestinationName;
  readonly meetingId: string;
  readonly effectKey: string;
  /** W3C trace id: the same for everything that one delivery causes. */
  readonly traceId?: string;
}

/** What a worker did, for whoever watches it: ids and places, never content and never an address. */
export type WorkerStep =
  | { readonly kind: 'report_fetched'; readonly meetingId: string; readonly elapsedMs: number }
  /**
   * `reference` says where it is: channel and ts, page id, Message-ID. `elapsedMs` is the time since its delivery was
   * received; `isNew` is false when an earlier attempt turned out to have sent it.
   */
  | ({
      readonly kind: 'effect_sent';
      readonly reference: string;
      readonly elapsedMs: number;
      readonly isNew: boolean;
    } & StepLabel)
  | ({ readonly kind: 'effect_skipped'; readonly cause: string } & StepLabel)
  | ({
      readonly kind: 'effect_waiting';
      readonly cause: string;
      readonly why: WaitReason;
      readonly forMs: number;
    } & StepLabel)
  | ({ readonly kind: 'effect_failed'; readonly cause: string } & StepLabel)
  | {
      readonly kind: 'effect_probed';
      readonly destination: DestinationName;
      readonly result: ProbeResult['result'];
    };
