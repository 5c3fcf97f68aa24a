import type { z } from 'zod';

/** What keeps the changes of every collection, so that a later process finds the same state. A change is kept when the call returns; throws `DataFolderError` where it cannot be. */
export interface Journal {
  /** What an earlier process left of a collection, in the order in which the keys first came. Throws `DataFolderError` when the schema refuses a value. */
  readonly load: <T>(collection: string, schema: z.ZodType<T>) => readonly T[];
  readonly put: (collection: string, key: string, value: unknown) => void;
  readonly remove: (collection: string, key: string) => void;
  readonly clear: (collection: string) => void;
  /** Runs it at once; of the changes that it makes, a later process finds all or none. Where they cannot be kept they have been made all the same, and are kept with the next change. */
  readonly together: <T>(change: () => T) => T;
  /** What is changed from then on is not kept: not even that everything was forgotten. */
  readonly close: () => void;
}

/** For a sandbox whose state is in memory only. */
export const noJournal: Journal = {
  load: () => [],
  put: () => {},
  remove: () => {},
  clear: () => {},
  together: (change) => change(),
  close: () => {},
};
