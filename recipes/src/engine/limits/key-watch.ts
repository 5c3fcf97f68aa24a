import { randomUUID } from 'node:crypto';

import { z } from 'zod';

import { type SharedStore, changeRecord, readNote } from '../store/shared-store.ts';

/** What the service's refusal of the API key (401) means for this worker. */
interface KeyRefusal {
  /** No worker has noticed before: this one raises the alert. */
  readonly isFirst: boolean;
  /** The same for all workers, from the first refusal to the first acceptance. */
  readonly episode: string;
  /** Milliseconds until a fetch may be tried again. */
  readonly waitMs: number;
}

/**
 * Whether the service takes the API key. A refused key is no fault of a meeting: everything that needs the service
 * waits, and burns no attempts. Times are milliseconds since 1970.
 */
export interface KeyWatch {
  /** 0: a fetch may be made. While the key is refused, the caller that gets 0 is the one that tries. */
  waitMs(nowMs: number): number;
  refused(nowMs: number): Promise<KeyRefusal>;
  /** The service took the key. Asks the store once in the worker's life, and then only after a refusal. */
  accepted(nowMs: number): Promise<void>;
}

const tryEveryMs = 30_000;
/** Answers that were still under way, and a worker that still has the old key, begin nothing new. */
const sameEpisodeMs = 10 * 60_000;
const keepMs = 365 * 24 * 60 * 60 * 1000;
const KEY_RECORD = 'key-watch';

const noteSchema = z.object({ episode: z.string(), endedAtMs: z.number().nullable() });
type Note = z.output<typeof noteSchema>;

/** Whether the service has refused the key since it accepted one last: what the workers have noted, for operators. */
export async function isKeyRefused(shared: Pick<SharedStore, 'read'>): Promise<boolean> {
  return readNote(noteSchema, await shared.read(KEY_RECORD))?.endedAtMs === null;
}

/** The same for a destination that refuses our token or login. */
export function createPauseWatch(shared: Pick<SharedStore, 'swap'>, destination: string): KeyWatch {
  return createKeyWatch(shared, randomUUID, `pause-${destination}`);
}

/** The episode is noted in the store, so that many workers raise one alarm. */
export function createKeyWatch(
  shared: Pick<SharedStore, 'swap'>,
  makeId: () => string = randomUUID,
  recordName = KEY_RECORD,
): KeyWatch {
  /** Undefined: this worker knows of no refusal. */
  let nextTryMs: number | undefined;
  let noted: Promise<KeyRefusal> | undefined;
  /** The key may have been fixed by a restart of the workers: at first it is not known whether an episode is open. */
  let mayBeOpen = true;
  let text: string | undefined;

  async function edit(change: (note: Note | undefined) => Note, nowMs: number) {
    const think = (before: Note | undefined) => {
      const next = change(before);
      return { answer: { before, after: next }, next };
    };
    const record = { name: recordName, schema: noteSchema, keepMs, known: text };
    const changed = await changeRecord(shared, record, think, nowMs);
    ({ text } = changed);
    return changed.answer;
  }

  async function noteRefusal(nowMs: number, waitMs: number): Promise<KeyRefusal> {
    const newEpisode = makeId();
    const { before, after } = await edit((note) => {
      const isSame = note !== undefined && nowMs - (note.endedAtMs ?? nowMs) < sameEpisodeMs;
      return { episode: isSame ? note.episode : newEpisode, endedAtMs: null };
    }, nowMs);
    return { isFirst: before?.episode !== after.episode, episode: after.episode, waitMs };
  }

  return {
    waitMs(nowMs) {
      if (nextTryMs === undefined) return 0;
      if (nowMs < nextTryMs) return nextTryMs - nowMs;
      nextTryMs = nowMs + tryEveryMs;
      // What is known of the episode can be old: another worker may have ended it since.
      noted = undefined;
      return 0;
    },
    async refused(nowMs) {
      nextTryMs ??= nowMs + tryEveryMs;
      mayBeOpen = true;
      const waitMs = Math.max(nextTryMs - nowMs, 0);
      if (noted !== undefined) return { ...(await noted), isFirst: false, waitMs };
      noted = noteRefusal(nowMs, waitMs);
      // Without the store no alert was raised: the next refusal asks again.
      noted.catch(() => {
        noted = undefined;
      });
      return await noted;
    },
    async accepted(nowMs) {
      if (!mayBeOpen) return;
      // Before the store knows, so that what comes meanwhile does not ask as well; a failure takes it back.
      mayBeOpen = false;
      try {
        await edit(
          (note) =>
            note === undefined
              ? { episode: '', endedAtMs: 0 }
              : { ...note, endedAtMs: note.endedAtMs ?? nowMs },
          nowMs,
        );
      } catch (error) {
        mayBeOpen = true;
        throw error;
      }
      nextTryMs = undefined;
      noted = undefined;
    },
  };
}
