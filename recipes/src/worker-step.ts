import type { DestinationName } from './destinations.ts';

/** Which effect a step is about. */
export interface StepLabel {
  readonly recipe: string;
  readonly destination: DestinationName;
  readonly meetingId: string;
  readonly effectKey: string;
}

/** What a worker did, for whoever watches it: ids and places, never content and never an address. */
export type WorkerStep =
  | { readonly kind: 'report_fetched'; readonly meetingId: string; readonly elapsedMs: number }
  /** `reference` says where it is: channel and ts, page id, Message-ID. */
  | ({ readonly kind: 'effect_sent'; readonly reference: string } & StepLabel)
  | ({ readonly kind: 'effect_waiting'; readonly cause: string; readonly forMs: number } & StepLabel)
  | ({ readonly kind: 'effect_failed'; readonly cause: string } & StepLabel);
