/** What shares a limit at a destination: one Slack channel, one Notion connection, one mail server. */
export interface Lane {
  readonly name: string;
  /** Milliseconds between two effects of the lane, more than 0. */
  readonly gapMs: number;
}

/** A place in a lane's line. */
export interface Turn {
  /** In the lane's own time, which stands still while the lane is paused: what a job keeps until it has gone. */
  readonly turnMs: number;
  /** On the clock, as things stand now. */
  readonly atMs: number;
}

interface Visit {
  readonly lane: Lane;
  /** The turn that the effect was given last and has not gone by. A turn is good for one go. */
  readonly turnMs?: number | undefined;
  /**
   * It has gone before: now it gets a turn at the front, before those that never went. However many return, these get
   * every other turn.
   */
  readonly isReturning?: boolean;
}

export type Admission =
  | { readonly kind: 'go' }
  | ({ readonly kind: 'wait'; readonly isPaused: boolean } & Turn);

/**
 * The lines in front of the destinations' limits, kept in the store and shared by all workers. Each effect that is
 * planned gets a turn, so that it is not looked at before that; who comes earlier, or while the lane is paused, is
 * told when to come back and with which turn. Never more than one effect goes in nine tenths of a gap, whoever asks.
 * Names can hold ids, never addresses: they are stored.
 */
export interface Lanes {
  /** A turn at the end of each lane's line, in the order given. */
  reserve(lanes: readonly Lane[], nowMs: number): Promise<readonly Turn[]>;
  enter(visit: Visit, nowMs: number): Promise<Admission>;
  /**
   * The destination asked for a pause of this lane. Everybody's turn moves by it. Answers with a turn at the front,
   * for the effect that heard of it.
   */
  pause(lane: Lane, untilMs: number, nowMs: number): Promise<Turn>;
  /** Forgets lanes that nobody has used for a day. */
  sweep(nowMs: number): Promise<void>;
  close(): Promise<void>;
}
