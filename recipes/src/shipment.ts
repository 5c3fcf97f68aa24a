/** What came of asking a destination to take something. Causes are for people and hold no content. */
export type SendResult =
  | { readonly result: 'sent'; readonly reference: string }
  | NotSent
  /** The destination may or may not have taken it. */
  | { readonly result: 'unknown'; readonly cause: string };

/** The destination surely did not take it. */
export type NotSent =
  | { readonly result: 'rate_limited'; readonly cause: string; readonly retryAfterMs: number }
  | { readonly result: 'not_sent_retry'; readonly cause: string }
  | { readonly result: 'permanent'; readonly cause: string };

/** What a destination knows of an earlier attempt whose outcome we do not know. */
export type ProbeResult =
  | { readonly result: 'found'; readonly reference: string }
  | { readonly result: 'absent' }
  | { readonly result: 'unsure'; readonly cause: string }
  /** It will never tell, until somebody changes something. */
  | { readonly result: 'impossible'; readonly cause: string };

/** One message, page or mail, ready to go. */
export interface Shipment {
  /** Looks for the effect at the destination, among what was sent since `sinceMs`. */
  probe(sinceMs: number): Promise<ProbeResult>;
  /** One call to the vendor, over within `sendTimeoutMs`. Never throws. */
  send(): Promise<SendResult>;
}

/** Which effect a shipment brings about, and where it goes. */
export interface ShipmentLabel {
  readonly effectKey: string;
  readonly target: string;
}

export type Preparation = { readonly result: 'ready'; readonly shipment: Shipment } | NotSent;

/** A destination that is open. */
export interface Carrier<Message> {
  /** Finds out what sending needs, by calls that may be repeated, before the intent is written. */
  prepare(message: Message, label: ShipmentLabel): Promise<Preparation>;
  close(): Promise<void>;
}

/** No call to a vendor outlives this. */
export const sendTimeoutMs = 10_000;
