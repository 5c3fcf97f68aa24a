/** One try to hand a delivery over. */
export interface DeliveryAttempt {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The receiver's answer, when there was one. */
  readonly status?: number;
  /** Why there was none: `timeout`, `ECONNREFUSED`, ... */
  readonly error?: string;
  readonly elapsedMs: number;
}

/** A delivery as everybody may see it: neither the secret nor the path of the receiver, which may be one. */
export interface DeliveryView {
  readonly id: string;
  readonly meetingId: string;
  readonly event: string;
  /** Origin of the receiver. */
  readonly receiver: string;
  readonly isSigned: boolean;
  readonly state: 'waiting' | 'delivered' | 'given_up';
  readonly attempts: readonly DeliveryAttempt[];
  /** ISO 8601, UTC; present while another attempt is planned. */
  readonly nextAttemptAt?: string;
}

/** A delivery to make. */
export interface DeliveryOrder {
  readonly id: string;
  readonly meetingId: string;
  readonly event: string;
  readonly url: string;
  readonly secret: string | undefined;
  readonly body: Buffer;
}
