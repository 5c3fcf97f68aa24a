/** A short text for any thrown value: code and message, or the name. */
export function describeError(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const text = error.message === '' ? error.name : error.message;
  return code !== undefined && !text.includes(code) ? `${code}: ${text}` : text;
}

/** Whether a system error (files, sockets) has one of these codes. */
export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code);
}

/** Why a store takes no writes, where it says so. The codes are public: `/readyz` and the log have them. */
export type StoreCause =
  /** Its memory is full, or so nearly that the rest is kept for the worker. */
  | 'store_full'
  | 'disk_full'
  /** A replica, or a server that was set to read-only. */
  | 'read_only'
  /** It cannot write to its disk and takes nothing that it would forget. */
  | 'not_persisting'
  /** The login or the rights of this user. */
  | 'refused'
  /** It has started and still reads its data. */
  | 'loading';

/** The first words of Redis's errors. An older Redis puts text before them when a script was refused. */
const redisWords: ReadonlyMap<string, StoreCause> = new Map([
  ['OOM', 'store_full'],
  ['MISCONF', 'not_persisting'],
  ['READONLY', 'read_only'],
  ['NOAUTH', 'refused'],
  ['WRONGPASS', 'refused'],
  ['NOPERM', 'refused'],
  ['LOADING', 'loading'],
]);

const postgresCodes: ReadonlyMap<string, StoreCause> = new Map([
  ['53100', 'disk_full'],
  ['25006', 'read_only'],
  ['28000', 'refused'],
  ['28P01', 'refused'],
  ['42501', 'refused'],
  ['57P03', 'loading'],
]);

/** What the error of a store, or one that it has caused, says about the store; undefined when it says nothing. */
export function findStoreCause(error: unknown): StoreCause | undefined {
  if (error instanceof StoreUnavailable) return error.code;
  if (error instanceof StoreIsFull) return 'store_full';
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return postgresCodes.get(code) ?? findRedisCause(error) ?? findStoreCause(error.cause);
}

function findRedisCause({ name, message }: Error): StoreCause | undefined {
  if (name !== 'ReplyError') return undefined;
  const words = message.match(/\b[A-Z]+\b/g) ?? [];
  return words.map((word) => redisWords.get(word)).find((cause) => cause !== undefined);
}

/** The store has memory left, but no more than the worker needs for what was accepted. */
export class StoreIsFull extends Error {
  override readonly name = 'StoreIsFull';

  constructor() {
    super('the rest of the memory is kept for the worker');
  }
}

/**
 * The store did not confirm in time. The write may have happened; repeating it is safe. `cause` is the error of the store
 * or its driver.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  /** Why, where the store says so. */
  readonly code: StoreCause | undefined;

  constructor(what: string, cause: unknown) {
    super(`the queue's store did not confirm: ${what}`, { cause });
    this.code = findStoreCause(cause);
  }
}
