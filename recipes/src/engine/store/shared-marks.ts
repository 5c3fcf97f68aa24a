import { z } from 'zod';

import { changeRecord, readNote, type SharedStore } from './shared-store.ts';

/** How soon a worker follows. Milliseconds. */
const EVERY_MS = 5000;
/** A mark stays until it is removed. */
const KEPT_MS = 10 * 365 * 24 * 60 * 60 * 1000;

const marksSchema = z.record(z.string(), z.object({ atMs: z.number(), who: z.string() }));

/** Something that a person has marked: a recipe that is paused, an address that gets no mail. */
export interface Mark {
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly who: string;
}

/** The marks of one record, as a worker knows them. */
export interface FollowedMarks {
  has(key: string): boolean;
  /** Calls back when a mark was set or removed. */
  watch(listener: () => void): void;
  close(): Promise<void>;
}

/** Follows a record of marks. `first` is its text at the start. While the store is away, what was known stands. */
export function followMarks(
  store: Pick<SharedStore, 'read'>,
  record: string,
  first: string | undefined,
): FollowedMarks {
  const listeners = new Set<() => void>();
  let text = first;
  let marked = toKeys(text);
  let reading = Promise.resolve();
  const timer = setInterval(() => {
    reading = store.read(record).then(
      (now) => {
        if (now === text) return;
        text = now;
        marked = toKeys(now);
        for (const listener of listeners) listener();
      },
      () => undefined,
    );
  }, EVERY_MS).unref();
  return {
    has: (key) => marked.has(key),
    watch: (listener) => void listeners.add(listener),
    async close() {
      clearInterval(timer);
      await reading;
    },
  };
}

/** Sets a mark, or removes it. Answers whether that changed anything. */
export async function setMark(
  store: Pick<SharedStore, 'swap' | 'read'>,
  record: string,
  {
    key,
    isSet,
    who,
    nowMs,
    keepMs = KEPT_MS,
  }: {
    readonly key: string;
    readonly isSet: boolean;
    readonly who: string;
    readonly nowMs: number;
    /** Of the whole record since its last change. Default: ten years. */
    readonly keepMs?: number;
  },
): Promise<boolean> {
  const known = await store.read(record);
  const { answer } = await changeRecord(
    store,
    { name: record, schema: marksSchema, keepMs, known },
    (marks = {}) => {
      const { [key]: before, ...others } = marks;
      if ((before !== undefined) === isSet) return { answer: false };
      return { answer: true, next: isSet ? { ...others, [key]: { atMs: nowMs, who } } : others };
    },
    nowMs,
  );
  return answer;
}

/** All marks, the newest first. */
export async function listMarks(store: Pick<SharedStore, 'read'>, record: string): Promise<readonly Mark[]> {
  return Object.entries(readNote(marksSchema, await store.read(record)) ?? {})
    .map(([key, facts]) => ({ key, ...facts }))
    .toSorted((one, other) => other.atMs - one.atMs);
}

function toKeys(text: string | undefined): ReadonlySet<string> {
  return new Set(Object.keys(readNote(marksSchema, text) ?? {}));
}
