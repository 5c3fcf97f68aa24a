import type { SearchInput } from './client.ts';
import { ServiceError } from './service-error.ts';

/** The operation whose answer shows whether a write took effect. */
export type SettlingCall =
  | { readonly operation: 'meetings.search'; readonly input: SearchInput }
  | { readonly operation: 'reports.get'; readonly input: { readonly meeting_id: string } }
  | { readonly operation: 'tags.list'; readonly input: Readonly<Record<string, never>> };

export interface AmbiguousWriteFacts {
  readonly doing: string;
  /** Why nobody knows, such as `no answer in 30000 ms`. */
  readonly reason: string;
  readonly settleWith: SettlingCall;
  readonly status?: number;
  readonly cause?: ServiceError;
}

/**
 * A write that must not happen twice may have taken effect, and nothing but a look at the service can tell.
 * It was not repeated.
 */
export class AmbiguousWriteError extends ServiceError {
  override readonly name = 'AmbiguousWriteError';
  // Private, behind a getter: the input holds a title, and errors are printed into logs whole.
  readonly #settleWith: SettlingCall;

  constructor({ doing, reason, settleWith, status, cause }: AmbiguousWriteFacts) {
    super({
      code: 'ambiguous',
      doing,
      detail: `${reason}; it may have taken effect: look with ${settleWith.operation} before you send it again`,
      retryable: false,
      ...(status === undefined ? {} : { status }),
      ...(cause === undefined ? {} : { cause }),
    });
    this.#settleWith = settleWith;
  }

  /** The search that settles it. */
  get settleWith(): SettlingCall {
    return this.#settleWith;
  }
}
