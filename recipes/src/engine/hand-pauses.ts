import { type FollowedMarks, followMarks, listMarks, setMark } from './store/shared-marks.ts';
import type { SharedStore } from './store/shared-store.ts';

const RECORD = 'pauses';

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
export interface HandPauses extends Pick<FollowedMarks, 'watch' | 'close'> {
  isPaused(kind: PausedKind, name: string): boolean;
}

/** Follows the pauses of an installation. While the store is away, what was known stands. */
export async function openHandPauses(store: Pick<SharedStore, 'read'>): Promise<HandPauses> {
  const marks = followMarks(store, RECORD, await store.read(RECORD).catch(() => undefined));
  return { ...marks, isPaused: (kind, name) => marks.has(keyOf(kind, name)) };
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
  return await setMark(store, RECORD, { key: keyOf(kind, name), isSet: isPaused, who, nowMs });
}

/** What is paused, the newest first. */
export async function listHandPauses(store: Pick<SharedStore, 'read'>): Promise<readonly HandPause[]> {
  return (await listMarks(store, RECORD)).flatMap(({ key, ...facts }): readonly HandPause[] => {
    const [, kind, name = ''] = /^(recipe|destination) ([\s\S]*)$/.exec(key) ?? [];
    return kind === 'recipe' || kind === 'destination' ? [{ kind, name, ...facts }] : [];
  });
}

function keyOf(kind: PausedKind, name: string): string {
  return `${kind} ${name}`;
}
