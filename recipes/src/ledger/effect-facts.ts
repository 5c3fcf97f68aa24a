/** What the ledger keeps of an effect besides its state: ids only, no content and no address. */
export interface EffectFacts {
  readonly recipe: string;
  readonly destination: string;
  readonly eventKind: string;
  readonly meetingId: string;
  readonly occurrence: string;
  /** SHA-256 of the target, which can be an address. */
  readonly targetHash: string;
  readonly part: number;
  /** W3C trace id of the delivery; empty when there is none. */
  readonly traceId: string;
  /** Milliseconds since 1970: when the delivery was received. */
  readonly receivedAtMs: number;
}
