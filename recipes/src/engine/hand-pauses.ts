import { z } from 'zod';

import { changeRecord, readNote, type SharedStore } from './store/shared-store.ts';

/** How soon a worker follows. Milliseconds. */
const EVERY_MS = 5000;
const RECORD = 'pauses';
/** A pause lasts until it is ended. */
const KEPT_MS = 10 * 365 * 24 * 60 * 60 * 1000;

const pausesSchema = z.record(z.string(), z.object({ atMs: z.number(), who: z.string() }));

type PausedKind = 'recipe' | 'destination';

/** Something that a person has stopped. */
export interface HandPause {
  readonly kind: PausedKind;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly who: string;
}

/** What is paused by hand, as a worker knows it. */
export interface HandPauses {
  isPaused(kind: PausedKind, name: string): boolean;
  /** Calls back when something was paused or resumed. */
  watch(listener: () => void): void;
  close(): Promise<void>;
}

/** Follows the pauses of an installation. While the store is away, what was known stands. */
export async function openHandPauses(store: Pick<SharedStore, 'read'>): Promise<HandPauses> {
  const listeners = new Set<() => void>();
  let text = await store.read(RECORD).catch(() => undefined);
  let paused = toNames(text);
  let reading = Promise.resolve();
  const timer = setInterval(() => {
    reading = store.read(RECORD).then(
      (now) => {
        if (now === text) return;
        text = now;
        paused = toNames(now);
        for (const listener of listeners) listener();
      },
      () => undefined,
    );
  }, EVERY_MS).unref();
  return {
    isPaused: (kind, name) => paused.has(nameOf(kind, name)),
    watch: (listener) => void listeners.add(listener),
    async close() {
      clearInterval(timer);
      await reading;
    },
  };
}

/** Pauses, or ends a pause. Answers whether that changed anything. */
export async function setHandPause(
  store: Pick<SharedStore, 'swap' | 'read'>,
  {
    kind,
    name,
    isPaused,
    who,
    nowMs,
  }: Omit<HandPause, 'atMs'> & { readonly isPaused: boolean; readonly nowMs: number },
): Promise<boolean> {
  const known = await store.read(RECORD);
  const record = { name: RECORD, schema: pausesSchema, keepMs: KEPT_MS, known };
  const key = nameOf(kind, name);
  const { answer } = await changeRecord(
    store,
    record,
    (pauses = {}) => {
      const { [key]: before, ...others } = pauses;
      if ((before !== undefined) === isPaused) return { answer: false };
      return { answer: true, next: isPaused ? { ...others, [key]: { atMs: nowMs, who } } : others };
    },
    nowMs,
  );
  return answer;
}

/** What is paused, the newest first. */
export async function listHandPauses(store: Pick<SharedStore, 'read'>): Promise<readonly HandPause[]> {
  const pauses = Object.entries(readNote(pausesSchema, await store.read(RECORD)) ?? {});
  return pauses
    .flatMap(([key, facts]): readonly HandPause[] => {
      const [, kind, name = ''] = /^(recipe|destination) ([\s\S]*)$/.exec(key) ?? [];
      return kind === 'recipe' || kind === 'destination' ? [{ kind, name, ...facts }] : [];
    })
    .toSorted((one, other) => other.atMs - one.atMs);
}

function toNames(text: string | undefined): ReadonlySet<string> {
  return new Set(Object.keys(readNote(pausesSchema, text) ?? {}));
}

function nameOf(kind: PausedKind, name: string): string {
  return `${kind} ${name}`;
}
