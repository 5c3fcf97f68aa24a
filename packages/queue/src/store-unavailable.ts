/**
 * The store did not confirm in time. Whether the write happened is unknown; repeating it is safe.
 * `cause` holds what the store or its driver said.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';

  constructor(what: string, cause: unknown) {
    super(`the queue's store did not confirm: ${what}`, { cause });
  }
}
