/** A call has to wait for its turn for longer than there is time. */
export class NoTimeLeftError extends Error {
  override readonly name = 'NoTimeLeftError';
  readonly waitMs: number;

  constructor(waitMs: number) {
    super('No time is left for the call.');
    this.waitMs = waitMs;
  }
}
