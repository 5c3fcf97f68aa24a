/** Why a command did not do what it was asked to, and what to do about it. */
export interface FailureFacts {
  readonly exitCode: number;
  /** A word for machines, such as `not_found`. */
  readonly code: string;
  /** One sentence or more for people, without secrets. */
  readonly message: string;
  /** What to do next, in whole sentences. */
  readonly advice?: string;
  /** The status that the service answered with. */
  readonly status?: number;
  /** The operation's id, method and path. */
  readonly doing?: string;
  /** Whether the same command may succeed later. */
  readonly retryable?: boolean;
}

/** Ends a command with an explanation instead of a stack trace. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly facts: FailureFacts;

  constructor(facts: FailureFacts) {
    super(facts.message);
    this.facts = facts;
  }
}
